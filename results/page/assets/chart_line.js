"use strict";

// How lines are drawn: through all values, or, where there are more than can be
// told apart, as their mean in a shade from the lowest to the highest.
const chartLine = (() => {
  const column = 5; // pixels
  const crowd = 3; // values of a column on average, above which it is drawn as one

  // aligned gives all lines common places: those of a line that has its own
  // are joined with those of the others. The first of the arrays is the places.
  const aligned = (data) => {
    if (!data.lines.some((line) => line.places)) {
      return [data.places, ...data.lines.map((line) => line.values)];
    }
    return uPlot.join(data.lines.map((line) => lastOfEqual(line.places || data.places, line.values)));
  };

  // lastOfEqual keeps the last value of places that are equal: joining needs
  // different ones, and a staircase is up at its end.
  const lastOfEqual = (places, values) => {
    const kept = [[], []];
    places.forEach((place, i) => {
      if (place !== places[i + 1]) {
        kept[0].push(place);
        kept[1].push(values[i]);
      }
    });
    return kept;
  };

  // points lists the values of a line from one place to another, as places on
  // the canvas.
  const points = (u, k, from, to) => {
    const all = [];
    for (let i = from; i <= to; i++) {
      const value = u.data[k][i];
      if (value !== null && value !== undefined) {
        const y = u.valToPos(value, "y", true);
        all.push({ x: u.valToPos(u.data[0][i], "x", true), y, top: y, bottom: y });
      }
    }
    return all;
  };

  // columns joins the points of each column of pixels into one.
  const columns = (all, left, width) => {
    const joined = [];
    let sum = 0;
    let n = 0;
    let last;
    for (const p of all) {
      const place = Math.floor((p.x - left) / width);
      if (place !== last) {
        joined.push({ ...p, x: left + (place + 0.5) * width });
        [sum, n, last] = [0, 0, place];
      }
      const c = joined[joined.length - 1];
      sum += p.y;
      n += 1;
      c.y = sum / n;
      c.top = Math.min(c.top, p.top);
      c.bottom = Math.max(c.bottom, p.bottom);
    }
    return joined;
  };

  // paths is what uPlot asks for to draw a line. drawn keeps the points of each
  // line, which names of levels avoid.
  const paths = (drawn) => (u, k, from, to) => {
    const width = column * devicePixelRatio;
    let all = points(u, k, from, to);
    const crowded = all.length > (crowd * u.bbox.width) / width;
    if (crowded) {
      all = columns(all, u.bbox.left, width);
    }
    drawn[k] = all;
    const stroke = new Path2D();
    all.forEach((p) => stroke.lineTo(p.x, p.y));
    const fill = crowded ? new Path2D() : null;
    if (fill) {
      all.forEach((p) => fill.lineTo(p.x, p.top));
      [...all].reverse().forEach((p) => fill.lineTo(p.x, p.bottom));
      fill.closePath();
    }
    return { stroke, fill, clip: null, band: null, gaps: null, flags: 1 };
  };

  // shade is a colour, "rgb(0, 114, 178)", that lets others through.
  const shade = (colour) => colour.replace("rgb(", "rgba(").replace(")", ", 0.2)");

  return { aligned, paths, shade };
})();

"use strict";

// Charts draws every figure with data-chart from the data "chart-" and its ID.
// uPlot draws lines, axes and the cursor; legend, numbers and keys are ours.
// rocesim.charts has one entry for each: {uplot, data, figure, drawn}.
rocesim.charts = [];

const chartDraw = (() => {
  const font = (size) => `${size}px ${getComputedStyle(document.body).fontFamily}`;
  const dashes = [[], [9, 4], [3, 3], [12, 4, 3, 4], [18, 5], [6, 3, 2, 3, 2, 3]];
  const rowHeight = 20;

  // values are the places of a chart and the values of each line there.
  const values = (data) => {
    if (!data.rows) {
      return chartLine.aligned(data);
    }
    if (data.rows[0].values) {
      return [data.places, data.places.map(() => null)];
    }
    // The cursor needs places: the ends of bars, and those of the axis.
    const ends = new Set([data.x.from, data.x.to]);
    data.rows.forEach((row) => row.bars.forEach((bar) => ends.add(bar[0]).add(bar[1])));
    const places = [...ends].sort((a, b) => a - b);
    return [places, places.map(() => null)];
  };

  // nearest finds the value of a line at or before a place, as lines with
  // their own places have none at those of others.
  const nearest = (u, series, at) => {
    const values = u.data[series];
    for (let i = at; i !== null && i >= 0; i--) {
      if (values[i] !== null && values[i] !== undefined) {
        return i;
      }
    }
    return at;
  };

  const series = (data, colours, drawn) => {
    if (data.rows) {
      return [{}, { show: true, points: { show: false } }];
    }
    return [{}, ...data.lines.map((line) => {
      const colour = () => colours.now["series-" + line.colour];
      if (line.dots) {
        const points = { show: true, size: line.values.length < 200 ? 7 : 4, space: 0, width: 0, fill: colour };
        return { label: line.name, stroke: colour, width: 0, points };
      }
      const look = { label: line.name, stroke: colour, width: 1.75, dash: dashes[line.dash], points: { show: false } };
      if (line.step) {
        return { ...look, spanGaps: true, paths: uPlot.paths.stepped({ align: 1 }) };
      }
      return { ...look, fill: () => chartLine.shade(colour()), paths: chartLine.paths(drawn) };
    })];
  };

  // verticalRange begins at 0, unless the axis is to fit values that are far
  // from it, and has room for the levels that are shown.
  const verticalRange = (data) => (u, low, high) => {
    if (data.y.to !== null) {
      return [data.y.from || 0, data.y.to];
    }
    if (data.y.fit && low >= 0.3 * high && low < high) {
      return [low - 0.06 * (high - low), high + 0.06 * (high - low)];
    }
    const ends = [high || 0, ...(data.levels || []).filter((level) => level.shown).map((level) => level.value)];
    const top = Math.max(...ends);
    return [0, top > 0 ? top * 1.05 : 1];
  };

  // whole is the horizontal range of a chart that is not zoomed.
  const whole = (data, places) => {
    const from = data.x.from !== null ? data.x.from : places[0];
    const to = data.x.to !== null ? data.x.to : places[places.length - 1];
    if (data.x.log) {
      return [from / 1.1, to * 1.1];
    }
    return to > from ? [from, to] : [from - 1, from + 1];
  };

  // horizontalRange is what uPlot asks for: it gives the ends of the places to
  // see all, else what a reader has zoomed to.
  const horizontalRange = (data) => (u, low, high) => {
    const places = u.data[0];
    return low === places[0] && high === places[places.length - 1] ? whole(data, places) : [low, high];
  };

  const axis = (which, side, colours) => ({
    scale: side === 2 ? "x" : "y",
    side,
    stroke: () => colours.now.faint,
    grid: { stroke: () => colours.now.grid, width: 1 },
    ticks: { stroke: () => colours.now.grid, width: 1, size: 5 },
    font: font(12),
    labelFont: font(12.5),
    labelSize: 22,
    ...(which.log ? logarithmic(which) : scaled(which, side)),
  });

  // scaled ticks are round in the unit that the visible part reads best in.
  const scaled = (which, side) => {
    let chosen = which.scales[0];
    return {
      splits: (u, i, low, high) => {
        chosen = chartFormat.axis(which.scales, Math.max(Math.abs(low), Math.abs(high)));
        const room = side === 2 ? u.bbox.width / devicePixelRatio / 90 : u.bbox.height / devicePixelRatio / 42;
        const all = chartFormat.ticks(low / chosen.size, high / chosen.size, Math.max(2, room));
        return all.map((v) => v * chosen.size);
      },
      values: (u, splits) => chartFormat.tickTexts(splits.map((v) => v / chosen.size)),
      label: (u) => axisName(which, chosen) + (side === 3 && u.scales.y.min > 0 ? ", not from 0" : ""),
      size: side === 3 ? (u, values) => 22 + Math.max(3, ...(values || []).map((v) => String(v).length)) * 7 : 34,
    };
  };

  const axisName = (which, scale) => (scale.name ? `${which.label} (${scale.name})` : which.label);

  // logarithmic ticks are named where there is room.
  const logarithmic = (which) => ({
    splits: (u, i, low, high) => logPlaces(low, high, u.bbox.width / devicePixelRatio / 62),
    filter: (u, splits) => splits,
    values: (u, splits) => {
      let last = -Infinity;
      return splits.map((v) => {
        const text = chartFormat.value(which.scales, v);
        const at = u.valToPos(v, "x");
        if (at - last < 12 + 6.5 * text.length) {
          return ""; // it would touch the one before
        }
        last = at;
        return text;
      });
    },
  });

  // logPlaces returns powers of ten, or also 2 and 5 times those, or all digits,
  // or round numbers, as many as there is room for and at least three.
  const logPlaces = (low, high, room) => {
    const named = (digits) => {
      const places = [];
      for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e++) {
        places.push(...digits.map((d) => Number(`${d}e${e}`)).filter((v) => v >= low && v <= high));
      }
      return places;
    };
    const tens = named([1]);
    const some = named([1, 2, 5]);
    if (tens.length >= 3) {
      return some.length <= room ? some : tens;
    }
    if (some.length >= 3) {
      return some;
    }
    const all = named([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    if (all.length >= 3) {
      return all;
    }
    const few = chartFormat.ticks(low, high, Math.max(3, room));
    return few.length >= 3 ? few : chartFormat.ticks(low, high, 8);
  };

  // levels draws thresholds with their names, which stand where they cover no
  // line and no other name.
  const levels = (data, colours, drawn) => (u) => {
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.font = font(11.5 * ratio);
    ctx.lineJoin = "round";
    ctx.textAlign = "left";
    const shown = (data.levels || []).filter((level) => level.shown)
      .map((level) => ({ ...level, y: Math.round(u.valToPos(level.value, "y", true)) }))
      .filter(({ y }) => y >= bbox.top && y <= bbox.top + bbox.height);
    ctx.strokeStyle = colours.now.faint;
    ctx.lineWidth = 1.25 * ratio;
    ctx.setLineDash([5 * ratio, 4 * ratio]);
    for (const { y } of shown) {
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.setLineDash([]);
    ctx.lineWidth = 4 * ratio;
    ctx.strokeStyle = colours.now.paper;
    ctx.fillStyle = colours.now.ink;
    const taken = [];
    for (const level of shown) {
      const text = `${level.name} ${chartFormat.value(data.y.scales, level.value)}`;
      const box = freePlace(u, drawn, level.y, ctx.measureText(text).width, taken, shown.map(({ y }) => y));
      taken.push(box);
      ctx.strokeText(text, box.left, box.bottom - 5 * ratio);
      ctx.fillText(text, box.left, box.bottom - 5 * ratio);
    }
    ctx.restore();
  };

  // freePlace returns a box above or below a level that covers least: of names
  // nothing, if that can be.
  const freePlace = (u, drawn, y, width, taken, others) => {
    const ratio = devicePixelRatio;
    const { left, top, width: across, height } = u.bbox;
    const tall = 17 * ratio;
    let best;
    let least = Infinity;
    for (const bottom of [y - ratio, y + tall + ratio, y - tall - ratio, y + 2 * tall + ratio]) {
      for (let back = 0; back <= 20 && least > 0; back++) {
        const room = Math.max(0, across - width - 10 * ratio);
        const box = { left: left + 5 * ratio + (1 - back / 20) * room, bottom, width, tall };
        const outside = bottom - tall < top || bottom > top + height;
        const names = taken.filter((t) => Math.abs(t.bottom - bottom) < tall &&
          t.left < box.left + width && box.left < t.left + t.width).length;
        const through = others.filter((other) => other < bottom - ratio && other > bottom - tall + ratio).length;
        const cost = outside ? Infinity : 1000 * names + 3 * through + crossings(u, drawn, box);
        if (cost < least || !best) {
          least = cost;
          best = box;
        }
      }
    }
    return best;
  };

  // crossings is how many pieces of lines touch a box.
  const crossings = (u, drawn, box) => {
    let count = 0;
    drawn.forEach((points, k) => {
      for (let i = 1; u.series[k].show && i < points.length; i++) {
        const [a, b] = [points[i - 1], points[i]];
        const across = b.x >= box.left && a.x <= box.left + box.width;
        count += across && Math.min(a.y, b.y) < box.bottom && Math.max(a.y, b.y) > box.bottom - box.tall ? 1 : 0;
      }
    });
    return count;
  };

  // bars draws the rows of a timeline; the share of a bar is its opacity.
  const bars = (data, colours) => (u) => {
    const ctx = u.ctx;
    const height = u.bbox.height / data.rows.length;
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    ctx.fillStyle = colours.now[data.rows[0].values ? "series-1" : "series-2"];
    data.rows.forEach((row, i) => {
      if (row.values) {
        strip(u, row.values, u.bbox.top + (i + 0.1) * height, height * 0.8);
        return;
      }
      for (const [from, to, share] of row.bars) {
        const left = u.valToPos(from, "x", true);
        const width = Math.max(devicePixelRatio, u.valToPos(to, "x", true) - left);
        ctx.globalAlpha = share === undefined ? 1 : 0.25 + (0.75 * share) / 100;
        ctx.fillRect(left, u.bbox.top + i * height + height * 0.16, width, height * 0.68);
      }
    });
    ctx.restore();
  };

  // strip draws a row of shades; values that share a column of pixels are drawn as
  // their mean.
  const strip = (u, values, top, height) => {
    const width = 3 * devicePixelRatio;
    // Whole pixels leave no seams.
    const end = (i) => (i < 0 ? u.bbox.left : Math.round(u.valToPos(u.data[0][i], "x", true)));
    let [from, last] = u.series[0].idxs;
    last = Math.min(values.length - 1, last + 1); // it begins in the visible part
    for (let sum = 0, i = from; i <= last; i++) {
      sum += values[i];
      const left = end(from - 1);
      const right = end(i);
      if (right - left >= width || i === last) {
        const share = sum / (i - from + 1);
        u.ctx.globalAlpha = share > 0 ? 0.1 + 0.9 * Math.min(share, 1) : 0;
        u.ctx.fillRect(left, top, right - left, height);
        sum = 0;
        from = i + 1;
      }
    }
  };

  const rowAxis = (data, colours) => ({
    ...axis(data.y, 3, colours),
    splits: () => data.rows.map((_, i) => i + 0.5),
    values: (u) => data.rows.map((row) => fitted(u, row.name)),
    label: undefined,
    labelSize: 0,
    grid: { show: false },
    ticks: { show: false },
    size: (u) => Math.min(u.width * 0.42, 16 + Math.max(...data.rows.map((row) => row.name.length)) * 6.6),
  });

  // fitted shortens a name to the room that a narrow chart has.
  const fitted = (u, name) => {
    const most = Math.max(8, Math.floor((u.width * 0.42 - 16) / 6.6));
    return name.length > most ? name.slice(0, most - 1) + "\u2026" : name;
  };

  // options are uPlot's; drawn is that of chartLine.
  const options = (data, width, colours, drawn) => ({
    width,
    height: data.rows ? data.rows.length * rowHeight + 64 : width < 520 ? 240 : 300,
    padding: [10, 14, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, dist: 6 },
      points: { show: !data.rows, size: 7 },
      dataIdx: nearest,
      ...(data.linked ? { sync: { key: "time", scales: ["x", null] } } : {}),
    },
    scales: {
      x: { time: false, distr: data.x.log ? 3 : 1, range: horizontalRange(data) },
      y: data.rows ? { range: () => [0, data.rows.length], dir: -1 } : { range: verticalRange(data) },
    },
    series: series(data, colours, drawn),
    axes: [
      { ...axis(data.x, 2, colours), ...(data.x.log ? { label: data.x.label + " (log scale)", size: 34 } : {}) },
      data.rows ? rowAxis(data, colours) : axis(data.y, 3, colours),
    ],
    hooks: { draw: [data.rows ? bars(data, colours) : levels(data, colours, drawn)] },
  });

  return { values, options, whole };
})();

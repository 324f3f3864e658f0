"use strict";

// The slice as lines: a metric over the dimension across, a line for each place
// of the one down, with error bars. Places that are words have no order, so
// nothing joins them.
(() => {
  const root = document.getElementById("lines");
  if (!root) {
    return;
  }
  const { dimensions, metrics, slice, number, row, word, nameOf, valueText } = rocesim.grid;
  const { shape } = rocesim;
  const { colours, range, axis, name, frame, redraw, marker, interval } = rocesim.sketch;
  const dashes = 6;
  const most = 14; // lines that can be told apart, just
  const hidden = new Set();
  let width = 0;

  // chosen returns the lines to draw: all, or of many some spread evenly.
  const chosen = () => {
    const n = slice.down < 0 ? 1 : dimensions[slice.down].places.length;
    const spread = (_, i) => (n <= most ? i : Math.floor((i * (n - 1)) / (most - 1)));
    return Array.from({ length: Math.min(n, most) }, spread);
  };

  // horizontal returns where the places of the dimension across are: by their
  // numbers if they have some, on a logarithmic scale if these span much.
  const horizontal = (f) => {
    const { places, numbers } = dimensions[slice.across];
    const inner = 0.04 * (f.right - f.left);
    let at = places.map((_, i) => (i + 0.5) / places.length);
    let log = false;
    if (numbers && places.length > 1) {
      const low = Math.min(...numbers);
      const high = Math.max(...numbers);
      log = low > 0 && high / low >= 8;
      at = numbers.map((v) => (log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low || 1)));
    }
    return { log, at: at.map((share) => f.left + inner + share * (f.right - f.left - 2 * inner)) };
  };

  const joined = () => Boolean(dimensions[slice.across].numbers);

  // apart is how far lines stand from each other, so that error bars do not cover
  // each other: words have room.
  const apart = (f, lines, places) => {
    const room = joined() ? 42 / lines : (0.7 * (f.right - f.left)) / places / lines;
    return Math.min(joined() ? 3 : 18, room);
  };

  const draw = () => {
    const metric = metrics[slice.metric];
    const f = frame(width, 360);
    const lines = chosen();
    const across = dimensions[slice.across].places;
    const points = lines.map((y) => across.map((_, x) => {
      const r = row(x, y);
      const [mean, half] = [number(r, metric.mean), number(r, metric.half) || 0];
      return { x, r, mean, half, least: Math.max(Math.min(0, mean), mean - half) }; // no metric is below 0
    }).filter((p) => p.mean !== undefined));
    const seen = points.filter((_, k) => !hidden.has(k)).flat();
    const [low, high] = range(seen.flatMap((p) => [p.least, p.mean + p.half]));
    const vertical = (v) => f.bottom - ((v - low) / (high - low)) * (f.bottom - f.top);
    const svg = shape("svg", { width, height: f.height, viewBox: `0 0 ${width} ${f.height}`, role: "img",
      "aria-label": `${metric.name} over ${dimensions[slice.across].name}; the table above has the same numbers` });
    axis(svg, f, true, [low, high], metric.scales, metric.name, vertical);
    const { log, at } = horizontal(f);
    name(svg, f, false, dimensions[slice.across].name + (log ? " (log scale)" : ""));
    let last = -Infinity;
    across.forEach((text, x) => {
      svg.append(shape("path", { class: "rule", d: `M${at[x]} ${f.top}V${f.bottom}` }));
      if (at[x] - last > 9 + 6.5 * text.length) {
        svg.append(shape("text", { class: "middle", x: at[x], y: f.bottom + 17 }, text));
        last = at[x];
      }
    });
    const gap = apart(f, lines.length, across.length);
    points.forEach((line, k) => {
      if (!hidden.has(k)) {
        curve(svg, line, k, (x) => at[x] + gap * (k - (lines.length - 1) / 2), vertical);
      }
    });
    root.replaceChildren(legend(lines), svg);
  };

  // curve draws a line; aside keeps error bars apart.
  const curve = (svg, line, k, aside, vertical) => {
    if (joined()) {
      const path = line.map((p, i) => `${i ? "L" : "M"}${aside(p.x)} ${vertical(p.mean)}`).join("");
      svg.append(shape("path", { class: `curve s${1 + (k % colours)} d${k % dashes}`, d: path }));
    }
    for (const p of line) {
      const x = aside(p.x);
      if (p.half > 0) {
        svg.append(interval(k, x, vertical(p.mean + p.half), vertical(p.least)));
      }
      const title = shape("title", {}, `${nameOf(p.r)}: ${valueText(slice.metric, p.r)}`);
      svg.append(marker(k, x, vertical(p.mean), 4, title));
    }
  };

  // legend has a button for each line, which hides it.
  const legend = (lines) => {
    const list = rocesim.make("ul", { class: "legend" });
    if (slice.down < 0) {
      return list;
    }
    lines.forEach((y, k) => {
      const key = joined() ? rocesim.key(1 + (k % colours), k % dashes)
        : shape("svg", { viewBox: "0 0 28 10", "aria-hidden": "true" }, marker(k, 14, 5, 4));
      const pressed = String(!hidden.has(k));
      const button = rocesim.make("button", { type: "button", "aria-pressed": pressed }, key, word(slice.down, y));
      button.addEventListener("click", () => {
        if (!hidden.delete(k)) {
          hidden.add(k);
        }
        draw();
        root.querySelectorAll(".legend button")[k].focus();
      });
      list.append(rocesim.make("li", {}, button));
    });
    const total = dimensions[slice.down].places.length;
    if (lines.length < total) {
      list.append(rocesim.make("li", { class: "faint small" }, `${lines.length} of ${total} lines, spread evenly`));
    }
    return list;
  };

  document.getElementById("lines-title").hidden = false;
  rocesim.on("slice", () => {
    hidden.clear();
    draw();
  });
  redraw(root, (now) => {
    width = now;
    draw();
  });
})();

"use strict";

// A metric over two dimensions, as a table whose cells have shades.
(() => {
  const root = document.getElementById("heatmap");
  if (!root) {
    return;
  }
  const { data, dimensions, metrics, slice, number, row, rows, nameOf, valueText } = rocesim.grid;
  const shades = 9;
  const wide = 30; // the ratio from which shades follow the logarithm

  const position = (v, low, high) => {
    if (high <= low) {
      return 0.3;
    }
    return low > 0 && high / low > wide ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low);
  };
  const valueAt = (share, low, high) =>
    (low > 0 && high / low > wide ? low * (high / low) ** share : low + share * (high - low));
  const shade = (share) => Math.min(shades - 1, Math.floor(share * shades));

  const cell = (r, low, high) => {
    const metric = metrics[slice.metric];
    const mean = number(r, metric.mean);
    const unmet = Number(rows[r][data.unmet]);
    const best = rows[r][data.recommended] === "1";
    const parts = [];
    let look = "none";
    if (mean === undefined) {
      parts.push(rocesim.make("span", { class: "note" }, data.notes[r] || "no value"));
    } else {
      look = `h${shade(position(mean, low, high))}`;
      parts.push(rocesim.make("span", { class: "mean" }, chartFormat.value(metric.scales, mean)));
      const half = number(r, metric.half);
      if (half > 0) {
        parts.push(rocesim.make("span", { class: "half" }, `\u00b1 ${chartFormat.value(metric.scales, half)}`));
      }
    }
    if (unmet > 0) {
      parts.push(rocesim.make("span", { class: "note" }, `${unmet} of ${rows[r][data.runs]} unmet`));
    }
    if (best) {
      parts.push(rocesim.make("span", { class: "note" }, "recommended"));
    }
    const marks = (unmet > 0 ? " unmet" : "") + (best ? " best" : "");
    return rocesim.make("td", { class: look + marks, title: `${nameOf(r)}: ${valueText(slice.metric, r)}` }, ...parts);
  };

  // table has a row for each place of the dimension that goes down.
  const table = (cells, low, high) => {
    const across = dimensions[slice.across];
    const down = slice.down < 0 ? { name: "", short: "", places: [""] } : dimensions[slice.down];
    const corner = slice.down < 0 ? across.short : `${down.short} \u2193  ${across.short} \u2192`;
    const held = dimensions.map((_, i) => i)
      .filter((i) => i !== slice.across && i !== slice.down && dimensions[i].places.length > 1);
    const where = held.map((i) => `, ${rocesim.grid.word(i, slice.held[i])}`).join("");
    const of = data.scenarios.length > 1 ? `${data.scenarios[slice.scenario]}: ` : "";
    const name = metrics[slice.metric].name;
    const over = across.name + (slice.down < 0 ? "" : ` and ${down.name}`);
    const head = across.places.map((text) => rocesim.make("th", { scope: "col" }, text));
    const rows = cells.map((line, y) => [
      rocesim.make("th", { scope: "row" }, down.places[y] || name), ...line.map((r) => cell(r, low, high)),
    ]);
    return rocesim.table(rocesim.make("caption", {}, `${of}${name} over ${over}${where}`),
      [rocesim.make("th", { scope: "col", class: "corner" }, corner), ...head], rows);
  };

  const legend = (low, high, values) => {
    const entry = (look, text) => rocesim.make("li", {}, rocesim.make("i", { class: look }), text);
    const list = [];
    if (high > low) {
      const scales = metrics[slice.metric].scales;
      for (const share of [0, 0.25, 0.5, 0.75, 1]) {
        const note = share === 0 && low > 0 && high / low > wide ? " (logarithmic)" : "";
        list.push(entry(`h${shade(share)}`, chartFormat.value(scales, valueAt(share, low, high)) + note));
      }
      list.push(rocesim.make("li", {}, metrics[slice.metric].better));
    }
    if (values.some((r) => Number(rows[r][data.unmet]) > 0)) {
      list.push(entry("unmet", "hatched: an expectation is not met"));
    }
    if (values.some((r) => rows[r][data.recommended] === "1")) {
      list.push(entry("best", "recommended"));
    }
    return rocesim.make("ul", { class: "shades", "aria-label": "Shades of the heatmap" }, ...list);
  };

  const draw = () => {
    const height = slice.down < 0 ? 1 : dimensions[slice.down].places.length;
    const cells = Array.from({ length: height }, (_, y) => dimensions[slice.across].places.map((_, x) => row(x, y)));
    const all = cells.flat();
    const values = all.map((r) => number(r, metrics[slice.metric].mean)).filter((v) => v !== undefined);
    const low = values.reduce((a, b) => Math.min(a, b), Infinity);
    const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    const frame = rocesim.make("div", { class: "frame", tabindex: "0", role: "region", "aria-label": "Heatmap" },
      table(cells, low, high));
    root.replaceChildren(rocesim.make("div", { class: "heat" }, frame, legend(low, high, all)));
  };
  document.getElementById("heatmap-title").hidden = false;
  rocesim.on("slice", draw);
  draw();
})();

"use strict";

// The grid of a sweep: which slice of it is shown, and the numbers there.
// rocesim.grid is what the heatmap, the lines and the front use.
rocesim.grid = (() => {
  const data = rocesim.data("sweep-data");
  const rows = rocesim.data(data.table).rows;
  const { dimensions, metrics } = data;
  const perScenario = dimensions.reduce((n, d) => n * d.places.length, 1);
  const moving = dimensions.map((_, i) => i).filter((i) => dimensions[i].places.length > 1);

  const number = (row, column) => (rows[row][column] === "" ? undefined : Number(rows[row][column]));

  // places tells where a row is on each dimension: the last one changes fastest.
  const places = (row) => {
    let rest = row % perScenario;
    const at = [];
    for (let i = dimensions.length - 1; i >= 0; i--) {
      at[i] = rest % dimensions[i].places.length;
      rest = Math.floor(rest / dimensions[i].places.length);
    }
    return at;
  };

  const rowAt = (scenario, at) =>
    dimensions.reduce((n, d, i) => n * d.places.length + at[i], 0) + scenario * perScenario;

  const word = (dimension, place) => `${dimensions[dimension].short}=${dimensions[dimension].places[place]}`;

  // nameOf names the setting of a row by what moves.
  const nameOf = (row) => {
    const at = places(row);
    const words = moving.map((i) => word(i, at[i]));
    if (data.scenarios.length > 1) {
      words.unshift(data.scenarios[Math.floor(row / perScenario)]);
    }
    return words.join(", ");
  };

  // recommended is the recommended row of a scenario, or undefined.
  const recommended = (scenario) => {
    for (let row = scenario * perScenario; row < (scenario + 1) * perScenario; row++) {
      if (rows[row][data.recommended] === "1") {
        return row;
      }
    }
    return undefined;
  };

  // valueText is the mean of a metric with its interval, as the summary has it.
  const valueText = (metric, row) => {
    const mean = number(row, metrics[metric].mean);
    if (mean === undefined) {
      return "no value";
    }
    const half = number(row, metrics[metric].half);
    const text = chartFormat.value(metrics[metric].scales, mean);
    return half > 0 ? `${text} \u00b1 ${chartFormat.value(metrics[metric].scales, half)}` : text;
  };

  // The slice: a scenario, a metric, the dimensions across and down, and where
  // all others stand. Down is -1 if only one dimension moves.
  const slice = {
    scenario: 0, metric: data.metric, held: [],
    across: moving[1] ?? moving[0] ?? 0,
    down: moving.length > 1 ? moving[0] : -1,
  };
  const stand = () => {
    const best = recommended(slice.scenario);
    slice.held = best === undefined ? dimensions.map(() => 0) : places(best);
  };
  stand();

  const row = (across, down) => {
    const at = [...slice.held];
    at[slice.across] = across;
    if (slice.down >= 0) {
      at[slice.down] = down;
    }
    return rowAt(slice.scenario, at);
  };

  // select adds a labelled select to a group of controls.
  const select = (group, id, label, options, chosen, changed) => {
    const element = rocesim.make("select", { id },
      ...options.map(([value, text]) => rocesim.make("option", { value }, text)));
    element.value = String(chosen);
    element.addEventListener("change", () => changed(Number(element.value)));
    group.append(rocesim.make("label", { for: id }, label, element));
    return element;
  };

  const group = document.getElementById("slice");
  const controls = () => {
    const focused = document.activeElement?.id;
    group.replaceChildren();
    const update = (change) => (value) => {
      change(value);
      controls();
      rocesim.emit("slice");
    };
    if (data.scenarios.length > 1) {
      const scenarios = data.scenarios.map((name, i) => [i, name]);
      select(group, "slice-scenario", "Scenario", scenarios, slice.scenario, update((v) => {
        slice.scenario = v;
        stand();
      }));
    }
    const all = metrics.map((m, i) => [i, m.name]);
    select(group, "slice-metric", "Metric", all, slice.metric, update((v) => { slice.metric = v; }));
    const names = moving.map((i) => [i, dimensions[i].name]);
    if (moving.length > 1) {
      // One that is chosen twice changes places with the other.
      select(group, "slice-across", "Across", names, slice.across, update((v) => {
        slice.down = v === slice.down ? slice.across : slice.down;
        slice.across = v;
      }));
      select(group, "slice-down", "Down", names, slice.down, update((v) => {
        slice.across = v === slice.across ? slice.down : slice.across;
        slice.down = v;
      }));
    }
    for (const i of moving) {
      if (i !== slice.across && i !== slice.down) {
        const places = dimensions[i].places.map((text, k) => [k, text]);
        const hold = update((v) => { slice.held[i] = v; });
        select(group, `slice-held-${i}`, dimensions[i].short, places, slice.held[i], hold);
      }
    }
    const m = metrics[slice.metric];
    const chance = data.seeds > 1 ? `Means of ${data.seeds} seeds with 95 % confidence intervals.`
      : "One seed each, so nothing is known about chance.";
    document.getElementById("slice-doc").textContent = `${m.name}: ${m.doc}; ${m.better}. ${chance}`;
    if (focused) {
      document.getElementById(focused)?.focus();
    }
  };
  if (group) {
    controls();
  }

  return {
    data, rows, dimensions, metrics, slice, number, row, word, nameOf, valueText, select, perScenario,
  };
})();

"use strict";

// What a reader does with a chart: legend, zoom, keys, numbers.
(() => {
  const colours = { now: {} };
  const readColours = () => {
    const series = [1, 2, 3, 4, 5, 6, 7].map((i) => "series-" + i);
    for (const name of ["ink", "faint", "paper", "grid", "accent", ...series]) {
      colours.now[name] = rocesim.token("--" + name);
    }
  };

  // legend makes a button for every line: pressed is shown.
  const legend = (chart) => {
    const list = rocesim.make("ul", { class: "legend", "aria-label": "Lines of " + chart.data.title });
    chart.values = chart.data.lines.map((line, i) => {
      const value = rocesim.make("span", { class: "value" });
      const title = "Show or hide this line; with Shift only this one";
      const button = rocesim.make("button", { type: "button", "aria-pressed": "true", title },
        rocesim.key(line.colour, line.dash, line.dots), rocesim.make("span", { class: "key" }, line.name), value);
      button.addEventListener("click", (event) => toggle(chart, i, event.shiftKey));
      list.append(rocesim.make("li", {}, button));
      return { button, value };
    });
    return list;
  };

  const toggle = (chart, i, alone) => {
    chart.data.lines.forEach((_, k) => {
      const show = alone ? k === i : k === i ? !chart.uplot.series[k + 1].show : chart.uplot.series[k + 1].show;
      chart.uplot.setSeries(k + 1, { show });
      chart.values[k].button.setAttribute("aria-pressed", String(show));
    });
  };

  // hover shows what is under the cursor.
  const hover = (chart) => {
    const { uplot, data } = chart;
    const at = uplot.cursor.idx;
    const outside = at === null || at === undefined || uplot.cursor.left < 0;
    if (data.rows) {
      chart.at.textContent = outside ? "" : data.rows[0].values ? stripText(chart, at) : rowText(chart);
      return;
    }
    chart.at.textContent = outside ? "" : `${data.x.label}: ${chartFormat.exact(data.x.scales, uplot.data[0][at])}`;
    chart.values.forEach((entry, i) => {
      const k = uplot.cursor.idxs && uplot.cursor.idxs[i + 1];
      const known = !outside && k !== null && k !== undefined;
      entry.value.textContent = known ? chartFormat.value(data.y.scales, uplot.data[i + 1][k]) : "";
    });
  };

  // rowText says which rows have a bar at the cursor.
  const rowText = ({ uplot, data }) => {
    const at = uplot.posToVal(uplot.cursor.left, "x");
    const held = [];
    for (const row of data.rows) {
      const bar = row.bars.find(([from, to]) => from <= at && at < to);
      if (bar) {
        held.push(bar[2] === undefined ? row.name : `${row.name} (${chartFormat.value(data.y.scales, bar[2])})`);
      }
    }
    const names = held.slice(0, 4).join(", ") + (held.length > 4 ? ` and ${held.length - 4} more` : "");
    return `${data.x.label}: ${chartFormat.exact(data.x.scales, at)}: ${names || "none"}`;
  };

  // stripText is the value of the row under the cursor.
  const stripText = ({ uplot, data }, at) => {
    const rows = data.rows.length;
    const row = Math.floor((uplot.cursor.top / uplot.over.clientHeight) * rows);
    const i = Math.min(rows - 1, Math.max(0, row));
    return `${data.x.label}: ${chartFormat.exact(data.x.scales, uplot.data[0][at])}: ${rowValue(data, i, at)}`;
  };

  const rowValue = (data, i, at) =>
    `${data.rows[i].name} ${chartFormat.value(data.y.scales, data.rows[i].values[at])}`;

  // zoom sets the visible part; linked charts follow.
  const zoom = (chart, from, to) => {
    const [low, high] = chart.whole;
    const range = { min: Math.max(from, low), max: Math.min(to, high) };
    if (!(range.max > range.min)) {
      return;
    }
    for (const other of rocesim.charts) {
      if (other === chart || (chart.data.linked && other.data.linked)) {
        other.range = range;
        other.uplot.setScale("x", { ...range });
        other.reset.disabled = range.min === low && range.max === high;
      }
    }
  };

  const reset = (chart) => zoom(chart, ...chart.whole);

  // around zooms by a factor about a place; on a logarithmic axis by powers.
  const around = (chart, place, factor) => {
    const { min, max } = chart.uplot.scales.x;
    if (chart.data.x.log) {
      zoom(chart, place * (min / place) ** factor, place * (max / place) ** factor);
    } else {
      zoom(chart, place - (place - min) * factor, place + (max - place) * factor);
    }
  };

  const shift = (chart, part) => {
    const { min, max } = chart.uplot.scales.x;
    const by = Math.max(chart.whole[0] - min, Math.min(chart.whole[1] - max, part * (max - min)));
    zoom(chart, min + by, max + by);
  };

  // The wheel scrolls the page unless the chart has the focus or Ctrl is held,
  // which is also what pinching on a touch pad sends.
  const wheel = (chart) => (event) => {
    if (!event.ctrlKey && !chart.plot.contains(document.activeElement)) {
      return;
    }
    event.preventDefault();
    const left = event.clientX - chart.uplot.over.getBoundingClientRect().left;
    around(chart, chart.uplot.posToVal(left, "x"), event.deltaY > 0 ? 1.25 : 0.8);
  };

  // touch: two fingers zoom and move, and what they hold stays under them; one
  // that goes sideways reads values. Up and down scrolls the page.
  const touch = (chart) => {
    const over = chart.uplot.over;
    const [to, from] = chart.data.x.log ? [Math.log, Math.exp] : [(v) => v, (v) => v];
    const place = ({ clientX }) => clientX - over.getBoundingClientRect().left;
    let held = null;
    const hold = (event) => {
      held = null;
      if (event.touches.length === 2) {
        const [a, b] = [...event.touches].map(place);
        const { min, max } = chart.uplot.scales.x;
        const value = to(chart.uplot.posToVal((a + b) / 2, "x"));
        held = { apart: Math.max(10, Math.abs(a - b)), value, span: to(max) - to(min) };
      }
    };
    const move = (event) => {
      if (event.touches.length === 1) {
        chart.uplot.setCursor({ left: place(event.touches[0]), top: 10 });
        return;
      }
      if (!held || event.touches.length !== 2) {
        return;
      }
      event.preventDefault();
      const [a, b] = [...event.touches].map(place);
      const [low, high] = chart.whole.map(to);
      const span = Math.min((held.span * held.apart) / Math.max(10, Math.abs(a - b)), high - low);
      const first = Math.min(Math.max(held.value - (span * (a + b)) / 2 / over.clientWidth, low), high - span);
      zoom(chart, from(first), from(first + span));
    };
    over.addEventListener("touchstart", hold, { passive: true });
    over.addEventListener("touchend", hold, { passive: true });
    over.addEventListener("touchmove", move, { passive: false });
  };

  // keys move the cursor and zoom.
  const keys = (chart) => (event) => {
    const u = chart.uplot;
    const last = u.data[0].length - 1;
    const step = event.shiftKey ? 10 : 1;
    const at = u.cursor.idx ?? 0;
    const middle = (u.scales.x.min + u.scales.x.max) / 2;
    const actions = {
      ArrowLeft: () => moveTo(chart, Math.max(0, at - step)),
      ArrowRight: () => moveTo(chart, Math.min(last, at + step)),
      Home: () => moveTo(chart, 0),
      End: () => moveTo(chart, last),
      PageUp: () => shift(chart, -0.5),
      PageDown: () => shift(chart, 0.5),
      "+": () => around(chart, middle, 0.5),
      "=": () => around(chart, middle, 0.5),
      "-": () => around(chart, middle, 2),
      0: () => reset(chart),
      Escape: () => reset(chart),
    };
    if (actions[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      actions[event.key]();
    }
  };

  const moveTo = (chart, i) => {
    const u = chart.uplot;
    const place = u.data[0][i];
    const { min, max } = u.scales.x;
    if (place < min || place > max) {
      zoom(chart, place - (max - min) / 2, place + (max - min) / 2);
    }
    u.setCursor({ left: u.valToPos(place, "x"), top: 10 });
    rocesim.say([chart.at.textContent, ...othersAt(chart, i)].join("; "));
  };

  // othersAt are the values at a place that stand beside the chart, or in strips
  // below that of the cursor.
  const othersAt = ({ data, values }, at) => {
    if (!data.rows) {
      const texts = values.map((e, k) => e.value.textContent && `${data.lines[k].name}: ${e.value.textContent}`);
      return texts.filter((text) => text);
    }
    return data.rows[0].values ? data.rows.slice(1).map((_, k) => rowValue(data, k + 1, at)) : [];
  };

  // allNumbers adds a table of every place when the details are opened first.
  const allNumbers = (chart) => {
    const details = chart.figure.querySelector("details.numbers");
    if (!details || chart.data.rows) {
      return;
    }
    details.addEventListener("toggle", () => details.append(numbersTable(chart)), { once: true });
  };

  const mostRows = 2000; // a browser lays out more slowly

  const numbersTable = (chart) => {
    const { data, uplot } = chart;
    const unit = (axis) => axis.scales.find((s) => s.size === 1).name;
    const named = (text, axis) => (unit(axis) ? `${text} (${unit(axis)})` : text);
    const cell = (text) => rocesim.make("th", { scope: "col", class: "number wrap" }, text);
    const head = [named(data.x.label, data.x), ...data.lines.map((line) => named(line.name, data.y))].map(cell);
    const places = uplot.data[0];
    const row = (place, i) => [
      rocesim.make("th", { scope: "row", class: "number" }, String(place)),
      ...data.lines.map((_, k) => rocesim.make("td", { class: "number" }, uplot.data[k + 1][i] ?? "")),
    ];
    const which = places.length > mostRows ? `the first ${mostRows} of ${places.length} places` : "all values drawn";
    const caption = rocesim.make("caption", {}, `${data.title}: ${which}`);
    const table = rocesim.table(caption, head, places.slice(0, mostRows).map(row));
    return rocesim.make("div", { class: "frame" }, table);
  };

  // draw makes the chart of one figure.
  const draw = (figure) => {
    const data = rocesim.data("chart-" + figure.dataset.chart);
    const canvas = figure.querySelector(".canvas");
    const label = canvas.querySelector(".unseen").textContent;
    const plot = rocesim.make("div", {
      class: "plot", tabindex: "0", role: "application", "aria-roledescription": "chart",
      "aria-label": label + " Arrows move the cursor, plus and minus zoom, 0 shows all.",
    });
    const chart = { figure, data, plot, at: rocesim.make("p", { class: "at" }), drawn: [],
      reset: rocesim.make("button", { type: "button", disabled: "" }, "Show all") };
    canvas.append(plot);
    figure.classList.add("live");
    const options = chartDraw.options(data, width(canvas), colours, chart.drawn);
    options.hooks.setCursor = [() => hover(chart)];
    options.hooks.setScale = [(u, key) => key === "x" && scaled(chart, u)];
    options.hooks.setSize = [() => place(chart)];
    chart.uplot = new uPlot(options, chartDraw.values(data), plot);
    chart.whole = chartDraw.whole(data, chart.uplot.data[0]);
    chart.range = { min: chart.whole[0], max: chart.whole[1] };
    chart.reset.addEventListener("click", () => reset(chart));
    figure.querySelector(".head").append(chart.at, chart.reset);
    if (!data.rows) {
      canvas.append(legend(chart));
    }
    chart.uplot.over.addEventListener("dblclick", () => reset(chart));
    plot.addEventListener("wheel", wheel(chart), { passive: false });
    plot.addEventListener("keydown", keys(chart));
    plot.addEventListener("pointerdown", () => plot.focus({ preventScroll: true }));
    touch(chart);
    choose(chart);
    allNumbers(chart);
    rocesim.charts.push(chart);
    follow(chart);
    new ResizeObserver(() => resize(chart, canvas)).observe(canvas);
  };

  // follow gives a new chart the zoom of those that it is linked with.
  const follow = (chart) => {
    const other = rocesim.charts.find((c) => c !== chart && c.data.linked);
    if (chart.data.linked && other) {
      zoom(chart, other.range.min, other.range.max);
    }
  };

  const width = (canvas) => Math.max(240, Math.floor(canvas.clientWidth));

  const resize = (chart, canvas) => {
    const now = width(canvas);
    if (now !== chart.uplot.width && canvas.clientWidth > 0) {
      chart.uplot.setSize({ width: now, height: chart.uplot.height });
    }
  };

  // scaled hears of every new range: one that was dragged goes to the linked
  // charts.
  const scaled = (chart, u) => {
    place(chart);
    const { min, max } = u.scales.x;
    if (chart.range && (min !== chart.range.min || max !== chart.range.max)) {
      zoom(chart, min, max);
    }
  };

  // choose sends the time of a click to the page's slider.
  const choose = (chart) => {
    let pressed = 0;
    chart.uplot.over.addEventListener("pointerdown", (event) => { pressed = event.clientX; });
    chart.uplot.over.addEventListener("click", (event) => {
      if (chart.data.linked && Math.abs(event.clientX - pressed) < 4) {
        const left = event.clientX - chart.uplot.over.getBoundingClientRect().left;
        rocesim.emit("choose", chart.uplot.posToVal(left, "x"));
      }
    });
  };

  // The page's time is a line in every linked chart.
  let now = null;
  const place = (chart) => {
    if (!chart.data.linked || !chart.uplot) {
      return;
    }
    if (!chart.line) {
      chart.line = rocesim.make("div", { class: "now" });
      chart.uplot.over.append(chart.line);
    }
    const { min, max } = chart.uplot.scales.x;
    chart.line.hidden = now === null || now < min || now > max;
    if (!chart.line.hidden) {
      chart.line.style.left = chart.uplot.valToPos(now, "x") + "px";
    }
  };

  rocesim.on("time", (at) => {
    now = at;
    rocesim.charts.forEach(place);
  });
  rocesim.on("theme", () => {
    readColours();
    rocesim.charts.forEach((chart) => chart.uplot.redraw(false));
  });

  readColours();
  // Charts far below are drawn when they come near: the page opens at once.
  const margin = 600;
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        near.unobserve(entry.target);
        draw(entry.target);
      }
    }
  }, { rootMargin: margin + "px" });
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    if (figure.getBoundingClientRect().top < innerHeight + margin) {
      draw(figure);
    } else {
      near.observe(figure);
    }
  }
})();

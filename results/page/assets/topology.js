"use strict";

// The drawing of the network: colours by a chosen quantity, and the links of
// a chosen node. rocesim.network is what the slider uses.
rocesim.network = (() => {
  const data = rocesim.data("topology-data");
  if (!data) {
    return undefined;
  }
  const steps = 7;
  const { percent, packets, bytes, time, value } = chartFormat;

  // What may be shown of a port; its load is utilisation, paused us, marked
  // and sent packets, dropped packets, deepest queue.
  const quantities = {
    utilisation: { scales: percent, low: "idle", of: ([u]) => 100 * u, top: () => 100 },
    paused: { scales: percent, low: "never", of: ([, paused]) => (data.end > 0 ? (100 * paused) / data.end : 0) },
    marked: { scales: percent, low: "none", of: ([, , marked, sent]) => (sent > 0 ? (100 * marked) / sent : 0) },
    dropped: { scales: packets, low: "none", of: ([, , , , dropped]) => dropped },
    peak: { scales: bytes, low: "empty", of: ([, , , , , peak]) => peak },
  };

  const svg = document.getElementById("network");
  const layer = document.getElementById("lanes");
  const select = document.getElementById("quantity");
  const scale = document.getElementById("scale");
  const panel = document.getElementById("links");
  const lanes = [];
  for (const element of layer.children) {
    lanes[element.dataset.lane] = element;
  }
  let chosen = null;

  const step = (value, top) =>
    (value > 0 && top > 0 ? Math.min(steps, Math.max(1, Math.ceil((value / top) * steps))) : 0);

  // roundTop is the end of a scale that shall hold a value.
  const roundTop = (value) => {
    if (!(value > 0)) {
      return 0;
    }
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((f) => f * power).find((top) => top >= value * 0.999999);
  };

  // paint colours every lane by a value of its ports, the highest of them on
  // top. state has value(port), which is undefined where nothing is known, and
  // held(port).
  const paint = (state, top) => {
    const order = lanes.map((element, i) => {
      let highest = 0;
      let known = false;
      let held = false;
      for (const port of data.lanes[i].ports) {
        const v = state.value(port);
        known = known || v !== undefined;
        highest = Math.max(highest, v || 0);
        held = held || state.held(port);
      }
      element.setAttribute("class", `lane q${step(highest, top)}${held ? " held" : ""}${known ? "" : " unknown"}`);
      return { element, rank: held ? Infinity : highest };
    });
    order.sort((a, b) => (a.rank === b.rank ? 0 : a.rank < b.rank ? -1 : 1));
    layer.append(...order.map((o) => o.element));
  };

  const label = (low, high) => {
    scale.querySelector(".low").textContent = low;
    scale.querySelector(".high").textContent = high;
  };

  const show = () => {
    const q = quantities[select.value];
    if (!q) {
      rocesim.emit("moment");
      return;
    }
    const values = data.ports.map((port) => q.of(port.load));
    const top = q.top ? q.top() : roundTop(Math.max(0, ...values));
    label(q.low, top > 0 ? value(q.scales, top) : "nothing in this run");
    paint({ value: (port) => values[port], held: () => false }, top);
    list();
  };

  // list shows the links of the chosen node, those of the highest value first.
  const list = () => {
    panel.replaceChildren();
    if (chosen === null) {
      return;
    }
    const group = data.groups[chosen];
    const q = quantities[select.value] || quantities.utilisation;
    const values = data.ports.map((port) => q.of(port.load));
    const top = q.top ? q.top() : roundTop(Math.max(0, ...values));
    const head = ["Link", "Rate", "Utilisation", "Longest paused", "Marked", "Dropped", "Deepest queue"]
      .map((text, i) => rocesim.make("th", { scope: "col", class: i ? "number" : "" }, text));
    const row = (i) => {
      const port = data.ports[i];
      const [utilisation, paused, marked, , dropped, peak] = port.load;
      const cells = [`${port.rate} Gb/s`, value(percent, 100 * utilisation), value(time, paused),
        value(packets, marked), value(packets, dropped), value(bytes, peak)];
      const swatch = rocesim.make("span", { class: `swatch q${step(values[i], top)}` });
      const name = rocesim.make("th", { scope: "row" }, swatch, port.name);
      return [name, ...cells.map((text) => rocesim.make("td", { class: "number" }, text))];
    };
    const rows = (ports) => [...ports].sort((a, b) => values[b] - values[a]).map(row);
    const caption = rocesim.make("caption", {}, "What it sends, then what is sent to it; the highest first.");
    const table = rocesim.table(caption, head, [...rows(group.out), ...rows(group.in)]);
    const close = rocesim.make("button", { type: "button" }, "Close");
    close.addEventListener("click", () => choose(null));
    const title = rocesim.make("h3", {}, `Links of ${group.label} `, close);
    panel.append(title, rocesim.make("div", { class: "frame" }, table));
  };

  const choose = (group) => {
    const boxes = svg.querySelectorAll(".box");
    boxes.forEach((box) => box.classList.toggle("chosen", Number(box.dataset.group) === group));
    if (group === null && chosen !== null) {
      boxes[chosen].focus();
    }
    chosen = group;
    list();
  };

  svg.addEventListener("click", (event) => {
    const box = event.target.closest(".box");
    if (box) {
      const group = Number(box.dataset.group);
      choose(group === chosen ? null : group);
    }
  });
  svg.addEventListener("keydown", (event) => {
    const box = event.target.closest(".box");
    if (box && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      choose(Number(box.dataset.group));
    } else if (event.key === "Escape") {
      choose(null);
    }
  });
  // A network that is wider than the page fits, or is as large as its names.
  const enlarge = document.getElementById("enlarge");
  enlarge.hidden = false;
  enlarge.addEventListener("click", () => {
    const large = svg.classList.toggle("large");
    enlarge.setAttribute("aria-pressed", String(large));
  });
  select.disabled = false;
  select.addEventListener("change", show);
  if (select.value !== "utilisation") { // in which the drawing came
    show();
  }

  return { data, select, paint, label, roundTop };
})();

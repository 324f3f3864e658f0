"use strict";

// All settings by the two metrics that are traded; the pointer, or the keyboard on
// the front, names one.
(() => {
  const root = document.getElementById("front-plot");
  if (!root) {
    return;
  }
  const { data, rows, metrics, number, nameOf, valueText, select, perScenario } = rocesim.grid;
  const { shape } = rocesim;
  const { range, axis, frame, redraw } = rocesim.sketch;
  const [mx, my] = data.pareto;
  const said = document.getElementById("front-name");
  let scenario = 0;
  let width = 0;
  let points = [];

  // collect lists the settings of the scenario that compete.
  const collect = () => {
    points = [];
    for (let r = scenario * perScenario; r < (scenario + 1) * perScenario; r++) {
      const x = number(r, metrics[mx].mean);
      const y = number(r, metrics[my].mean);
      if (x !== undefined && y !== undefined && Number(rows[r][data.unmet]) === 0) {
        points.push({ r, x, y, front: rows[r][data.front] === "1", best: rows[r][data.recommended] === "1" });
      }
    }
  };

  const words = (p) => {
    const values = [mx, my].map((m) => `${metrics[m].name} ${valueText(m, p.r)}`).join(", ");
    return `${nameOf(p.r)}: ${values}${p.best ? "; recommended" : ""}${p.front ? "; on the front" : ""}`;
  };

  const draw = () => {
    if (points.length === 0) {
      const none = "No setting qualifies: in each a run missed an expectation, failed, or has no value.";
      root.replaceChildren(rocesim.make("p", {}, none));
      document.getElementById("front-table").replaceChildren();
      said.textContent = "";
      return;
    }
    const f = frame(width, 380);
    const rangeX = range(points.map((p) => p.x), 0.2);
    const rangeY = range(points.map((p) => p.y), 0.2);
    const atX = (v) => f.left + ((v - rangeX[0]) / (rangeX[1] - rangeX[0])) * (f.right - f.left);
    const atY = (v) => f.bottom - ((v - rangeY[0]) / (rangeY[1] - rangeY[0])) * (f.bottom - f.top);
    const svg = shape("svg", { width, height: f.height, viewBox: `0 0 ${width} ${f.height}`, role: "group",
      "aria-label": "Settings by two metrics; those of the front are in the table below" });
    axis(svg, f, true, rangeY, metrics[my].scales, metrics[my].name, atY);
    axis(svg, f, false, rangeX, metrics[mx].scales, metrics[mx].name, atX);
    const dot = (p, attributes) => shape("circle", { cx: atX(p.x), cy: atY(p.y), ...attributes });
    const front = points.filter((p) => p.front).sort((a, b) => a.x - b.x || b.y - a.y);
    svg.append(...points.filter((p) => !p.front).map((p) => dot(p, { class: "other", r: 4 })));
    const path = front.map((p, i) => `${i ? "L" : "M"}${atX(p.x)} ${atY(p.y)}`).join("");
    svg.append(shape("path", { class: "curve s1", d: path }));
    for (const p of front) {
      const named = { tabindex: "0", role: "img", "data-point": "", "aria-label": words(p) };
      const element = dot(p, { class: "m1", r: 6, ...named });
      element.addEventListener("focus", () => say(p));
      svg.append(element);
    }
    svg.append(...points.filter((p) => p.best).map((p) => dot(p, { class: "recommended", r: 10 })));
    const ring = shape("circle", { class: "chosen", fill: "none", r: 8, visibility: "hidden" });
    svg.append(ring);
    const say = (p) => {
      said.textContent = words(p);
      ring.setAttribute("cx", atX(p.x));
      ring.setAttribute("cy", atY(p.y));
      ring.setAttribute("visibility", "visible");
    };
    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect();
      const px = ((event.clientX - box.left) * width) / box.width;
      const py = ((event.clientY - box.top) * f.height) / box.height;
      const near = nearest(px, py, atX, atY);
      if (near) {
        say(near);
      }
    });
    root.replaceChildren(key(front.length), svg);
    table(front);
    said.textContent = "Point at a setting, or go along the front with the tab key, to read its name and values.";
  };

  const nearest = (px, py, atX, atY) => {
    let best;
    let least = 40 ** 2;
    for (const p of points) {
      const distance = (atX(p.x) - px) ** 2 + (atY(p.y) - py) ** 2;
      if (distance < least) {
        least = distance;
        best = p;
      }
    }
    return best;
  };

  const key = (front) => {
    const entry = (look, text) => {
      const dot = shape("circle", { cx: 7, cy: 5, r: 4, class: look });
      return rocesim.make("li", {}, shape("svg", { viewBox: "0 0 14 10", "aria-hidden": "true" }, dot), text);
    };
    return rocesim.make("ul", { class: "legend keys" }, entry("m1", `Pareto front (${front})`),
      entry("other", `other settings (${points.length - front})`), entry("recommended", "recommended"));
  };

  // table lists the front in words.
  const table = (front) => {
    const line = (p) => [
      rocesim.make("th", { scope: "row" }, nameOf(p.r) + (p.best ? " (recommended)" : "")),
      ...[mx, my].map((m) => rocesim.make("td", { class: "number" }, valueText(m, p.r))),
    ];
    const head = [
      rocesim.make("th", { scope: "col" }, "setting"),
      ...[mx, my].map((m) => rocesim.make("th", { scope: "col", class: "number" }, metrics[m].name)),
    ];
    const caption = rocesim.make("caption", { class: "unseen" }, "Settings of the Pareto front");
    const region = { class: "frame", tabindex: "0", role: "region", "aria-label": "Pareto front" };
    const frame = rocesim.make("div", region, rocesim.table(caption, head, front.map(line)));
    document.getElementById("front-table").replaceChildren(frame);
  };

  if (data.scenarios.length > 1) {
    const scenarios = data.scenarios.map((text, i) => [i, text]);
    select(document.getElementById("front-tools"), "front-scenario", "Scenario", scenarios, 0, (v) => {
      scenario = v;
      collect();
      draw();
    });
  }
  collect();
  redraw(root, (now) => {
    width = now;
    draw();
  });
})();

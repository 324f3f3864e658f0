"use strict";

// The slider sets a time: the drawing of the network shows the queues and
// pauses of that time, and the charts mark it.
(() => {
  const data = rocesim.data("timeline-data");
  const network = rocesim.network;
  const box = document.getElementById("slider");
  if (!data || !network || !box) {
    return;
  }
  const us = chartFormat.time;
  const range = document.getElementById("moment");
  const text = document.getElementById("moment-text");
  const state = document.getElementById("state");
  const play = document.getElementById("play");
  const first = document.getElementById("first-pause");
  const ports = network.data.ports;
  const step = data.queues ? data.step : data.end / 1000;
  const deepest = Math.max(0, ...(data.queues || []).map((q) => q.values.reduce((a, b) => Math.max(a, b), 0)));
  const top = network.roundTop(deepest);
  let now = 0;

  // depths are the sampled queues at the time, the deepest of each port.
  const depths = () => {
    const known = new Map();
    const k = Math.round((now - data.start) / data.step);
    for (const queue of data.queues || []) {
      const value = queue.values[Math.min(k, queue.values.length - 1)] ?? 0;
      const before = known.get(queue.port);
      if (!before || value > before.value) {
        known.set(queue.port, { value, priority: queue.priority });
      }
    }
    return known;
  };

  // held are the ports that were paused at the time or within the step before
  // it: most pauses are shorter than a step.
  const held = () => {
    const found = new Set();
    for (const track of data.pauses || []) {
      for (let i = 0; i < track.times.length; i += 2) {
        if (track.times[i] <= now && track.times[i + 1] > now - step) {
          found.add(track.port);
          break;
        }
      }
    }
    return found;
  };

  const show = () => {
    const known = depths();
    const paused = held();
    network.label("empty", `${chartFormat.value(chartFormat.bytes, top)}; dashed: paused`);
    network.paint({ value: (port) => known.get(port)?.value, held: (port) => paused.has(port) }, top);
    state.textContent = sentence(known, paused);
    text.value = chartFormat.exact(us, now);
    range.setAttribute("aria-valuetext", text.value);
    rocesim.emit("time", now);
  };

  const sentence = (known, paused) => {
    let deep = null;
    for (const [port, queue] of known) {
      if (queue.value > 0 && (!deep || queue.value > deep.value)) {
        deep = { port, ...queue };
      }
    }
    const queues = known.size === 0 ? "No queue was sampled."
      : !deep ? "All sampled queues are empty."
      : `Deepest sampled queue: ${ports[deep.port].name} priority ${deep.priority}, ` +
        `${chartFormat.value(chartFormat.bytes, deep.value)}.`;
    const names = [...paused].slice(0, 6).map((port) => ports[port].name).join(", ");
    const more = paused.size > 6 ? ` and ${paused.size - 6} more` : "";
    const before = chartFormat.value(us, step);
    const pauses = paused.size ? `Paused now or in the ${before} before: ${names}${more}.` : "No port is paused.";
    const left = data.left ? ` The ${data.left} shortest pauses of the run are not shown here.` : "";
    return `${queues} ${pauses}${left}`;
  };

  // set goes to a time; the drawing changes to showing it.
  const set = (time) => {
    now = Math.max(0, Math.min(data.end, time));
    range.value = now;
    network.select.value = "time";
    show();
  };

  // A whole run plays in 15 seconds; who wants less motion sees a step a
  // second.
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  };
  const start = () => {
    if (now >= data.end) {
      now = 0;
    }
    const frame = calm.matches ? 1000 : 50;
    const by = Math.max(step, data.end / (15000 / frame));
    play.textContent = "Stop";
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(() => {
      set(now + by);
      if (now >= data.end) {
        stop();
      }
    }, frame);
  };

  range.step = step > 0 ? step : "any";
  range.addEventListener("input", () => {
    stop();
    set(Number(range.value));
  });
  play.addEventListener("click", () => (timer ? stop() : start()));
  first.hidden = data.first === null;
  first.addEventListener("click", () => {
    stop();
    set(data.first);
    rocesim.say(`First pause: ${data.firstAt} at ${text.value}`);
  });
  rocesim.on("moment", show);
  rocesim.on("choose", (time) => {
    stop();
    set(time);
  });
  text.value = chartFormat.exact(us, now);
  state.textContent = "Drag or play to see queues and pauses at a time.";
  box.hidden = false;
})();

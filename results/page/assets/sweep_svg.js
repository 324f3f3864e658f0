"use strict";

// Drawing of plots of a sweep: elements, ticks and axes.
rocesim.svg = (() => {
  const make = (tag, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };

  // ticks returns round numbers from low to high, about count of them.
  const ticks = (low, high, count) => {
    const power = 10 ** Math.floor(Math.log10((high - low) / count));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => (high - low) / s <= count) || 10 * power;
    const all = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
      all.push(k * step);
    }
    return { all, step };
  };

  // range begins at 0 unless all values are far from it, the least more than a
  // share of the greatest, and is not empty.
  const range = (values, share = 0.6) => {
    let low = Infinity;
    let high = -Infinity;
    for (const v of values) {
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    if (low === Infinity || (low === 0 && high === 0)) {
      return [0, 1];
    }
    if (low >= 0 && (low < share * high || low === high)) {
      return [0, high * 1.06];
    }
    const margin = 0.06 * (high - low || Math.abs(high));
    return [low - margin, high + margin];
  };

  // axis draws one with round ticks; at maps a value to its place, and lines
  // go across the frame. It returns the name of the axis with its unit.
  const axis = (svg, frame, vertical, [low, high], scales, label, at) => {
    const scale = chartFormat.axis(scales, Math.max(Math.abs(low), Math.abs(high)));
    const { all, step } = ticks(low / scale.size, high / scale.size, vertical ? 6 : 8);
    for (const v of all) {
      const place = at(v * scale.size);
      const text = chartFormat.tick(v, step);
      if (vertical) {
        svg.append(make("path", { class: "rule", d: `M${frame.left} ${place}H${frame.right}` }),
          make("text", { class: "end", x: frame.left - 7, y: place + 4 }, text));
      } else {
        svg.append(make("path", { class: "rule", d: `M${place} ${frame.top}V${frame.bottom}` }),
          make("text", { class: "middle", x: place, y: frame.bottom + 17 }, text));
      }
    }
    name(svg, frame, vertical, (scale.name ? `${label} (${scale.name})` : label) + (low > 0 ? ", not from 0" : ""));
  };

  const name = (svg, frame, vertical, text) => {
    const middle = (frame.top + frame.bottom) / 2;
    svg.append(vertical
      ? make("text", { class: "middle name", transform: `translate(14 ${middle}) rotate(-90)` }, text)
      : make("text", { class: "middle name", x: (frame.left + frame.right) / 2, y: frame.bottom + 37 }, text));
  };

  // frame is where a plot of a width may draw.
  const frame = (width, height) => ({ left: 72, right: width - 14, top: 12, bottom: height - 46, width, height });

  // redraw calls draw with the width that there is, now and when that changes.
  const redraw = (element, draw) => {
    const room = () => Math.max(280, Math.floor(element.clientWidth));
    let width = room();
    draw(width);
    new ResizeObserver(() => {
      const now = room();
      if (now !== width) {
        width = now;
        requestAnimationFrame(() => draw(width)); // not while sizes are being told of
      }
    }).observe(element);
  };

  return { make, range, axis, name, frame, redraw };
})();

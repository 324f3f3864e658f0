"use strict";

// Drawing of plots of a sweep: ranges, axes and marks.
rocesim.sketch = (() => {
  const { shape } = rocesim;
  const colours = 7; // of the style sheet

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

  // axis draws one with round ticks and its name; at maps a value to its place,
  // and lines go across the frame.
  const axis = (svg, frame, vertical, [low, high], scales, label, at) => {
    const scale = chartFormat.axis(scales, Math.max(Math.abs(low), Math.abs(high)));
    const ticks = chartFormat.ticks(low / scale.size, high / scale.size, vertical ? 6 : 8);
    const texts = chartFormat.tickTexts(ticks);
    ticks.forEach((v, i) => {
      const place = at(v * scale.size);
      if (vertical) {
        svg.append(shape("path", { class: "rule", d: `M${frame.left} ${place}H${frame.right}` }),
          shape("text", { class: "end", x: frame.left - 7, y: place + 4 }, texts[i]));
      } else {
        svg.append(shape("path", { class: "rule", d: `M${place} ${frame.top}V${frame.bottom}` }),
          shape("text", { class: "middle", x: place, y: frame.bottom + 17 }, texts[i]));
      }
    });
    name(svg, frame, vertical, (scale.name ? `${label} (${scale.name})` : label) + (low > 0 ? ", not from 0" : ""));
  };

  const name = (svg, frame, vertical, text) => {
    const middle = (frame.top + frame.bottom) / 2;
    svg.append(vertical
      ? shape("text", { class: "middle name", transform: `translate(14 ${middle}) rotate(-90)` }, text)
      : shape("text", { class: "middle name", x: (frame.left + frame.right) / 2, y: frame.bottom + 37 }, text));
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

  // marker is a dot of a line, of four shapes, so that more lines than there are
  // colours can be told apart where nothing joins their dots.
  const marker = (k, x, y, r, ...children) => {
    const outline = [
      `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
      `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}Z`,
      `M${x} ${y - 1.3 * r}L${x + 1.2 * r} ${y + r}H${x - 1.2 * r}Z`,
      `M${x} ${y - 1.4 * r}L${x + 1.4 * r} ${y}L${x} ${y + 1.4 * r}L${x - 1.4 * r} ${y}Z`,
    ];
    return shape("path", { class: `m${1 + (k % colours)}`, d: outline[k % outline.length] }, ...children);
  };

  // interval is an error bar with caps.
  const interval = (k, x, top, bottom) => {
    const outline = `M${x} ${top}V${bottom}M${x - 3} ${top}h6M${x - 3} ${bottom}h6`;
    return shape("path", { class: `error s${1 + (k % colours)}`, d: outline });
  };

  return { colours, range, axis, name, frame, redraw, marker, interval };
})();

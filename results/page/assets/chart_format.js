"use strict";

// Numbers for a person: four significant digits in the unit that keeps them
// at least 1, as the summary of a run has them.
const chartFormat = (() => {
  const thousands = (text) => {
    const [whole, fraction] = text.split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return fraction === undefined ? grouped : grouped + "." + fraction;
  };

  const significant = (value) => {
    const magnitude = Math.abs(value);
    if (magnitude === 0) {
      return "0";
    }
    if (magnitude >= 1e6 || magnitude < 1e-4) {
      const text = value.toExponential(3).replace(/\.?0+e/, "e");
      return text.replace(/e(.)(\d)$/, (_, sign, digit) => `e${sign}0${digit}`);
    }
    const text = value.toFixed(Math.max(0, 3 - Math.floor(Math.log10(magnitude))));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  };

  // scaleFor returns the largest scale that keeps least times a value; 0 is not
  // small, so a time of 0 is in seconds.
  const scaleFor = (scales, value, least) => {
    let best = scales[0];
    if (value === 0 && best.name === "ps") {
      return scales[scales.length - 1];
    }
    for (const s of scales) {
      if (Math.abs(value) >= least * s.size) {
        best = s;
      }
    }
    return best;
  };

  return {
    // Scales of numbers that are in us, bytes, percent and packets.
    time: [
      { name: "ps", size: 1e-6 }, { name: "ns", size: 1e-3 }, { name: "us", size: 1 },
      { name: "ms", size: 1e3 }, { name: "s", size: 1e6 },
    ],
    bytes: [{ name: "B", size: 1 }, { name: "KB", size: 1e3 }, { name: "MB", size: 1e6 }, { name: "GB", size: 1e9 }],
    percent: [{ name: "%", size: 1 }],
    packets: [{ name: "packets", size: 1 }],

    // value prints a number of a unit that has these scales.
    value(scales, value) {
      if (value === null || value === undefined) {
        return "";
      }
      const s = scaleFor(scales, value, 1);
      const counted = scales.length === 1 && (s.name === "" || s.name === "packets") && Number.isInteger(value);
      return (counted ? thousands(String(value)) : significant(value / s.size)) + (s.name ? " " + s.name : "");
    },

    // exact prints an instant so that neighbours differ.
    exact(scales, value) {
      const s = scaleFor(scales, value, 1);
      return thousands(String(Number((value / s.size).toPrecision(9)))) + (s.name ? " " + s.name : "");
    },

    // axis returns the scale for ticks up to top.
    axis(scales, top) {
      return scaleFor(scales, top, 2);
    },

    // ticks returns round numbers from low to high, at most about count.
    ticks(low, high, count) {
      const rough = (high - low) / count;
      const power = 10 ** Math.floor(Math.log10(rough || 1));
      const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough * 0.999) || 1;
      const all = [];
      for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) {
        all.push(Number((i * step).toPrecision(12)));
      }
      return all;
    },

    // tickTexts prints places on an axis with the digits that tell them apart.
    tickTexts(all) {
      const step = all.length > 1 ? all[1] - all[0] : 1;
      const decimals = Math.max(0, -Math.floor(Math.log10(Math.abs(step) || 1) + 1e-9));
      return all.map((v) => thousands(v.toFixed(Math.min(decimals, 9))));
    },
  };
})();

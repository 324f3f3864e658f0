"use strict";

// The one object that scripts of a page share.
const rocesim = {
  // data returns the value of the Data with this ID, or undefined.
  data(id) {
    const element = document.getElementById(id);
    return element ? JSON.parse(element.textContent) : undefined;
  },

  // token returns a colour of the style sheet as the theme that is shown has
  // it, as "rgb(0, 114, 178)": token("--series-1").
  token(name) {
    const probe = document.createElement("i");
    probe.hidden = true;
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return colour;
  },

  // on calls f with the detail of every event of a name that emit sends.
  // "theme" is sent when colours have changed.
  on(name, f) {
    document.addEventListener("rocesim:" + name, (event) => f(event.detail));
  },

  emit(name, detail) {
    document.dispatchEvent(new CustomEvent("rocesim:" + name, { detail }));
  },

  // make returns a new element with attributes and children; text is text and
  // is never read as markup.
  make(tag, attributes, ...children) {
    return rocesim.filled(document.createElement(tag), attributes, children);
  },

  // shape is make for elements of a drawing (SVG).
  shape(tag, attributes, ...children) {
    return rocesim.filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  },

  filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  },

  // table makes a table of a caption, cells of the head and rows of cells.
  table(caption, head, rows) {
    const line = (cells) => rocesim.make("tr", {}, ...cells);
    return rocesim.make("table", {}, caption, rocesim.make("thead", {}, line(head)),
      rocesim.make("tbody", {}, ...rows.map(line)));
  },

  // key is the sample of a line, or of a dot, in a legend.
  key(colour, dash, dot) {
    const path = dot ? { class: `s${colour}`, d: "M14 5h.1", "stroke-width": 6, "stroke-linecap": "round" }
      : { class: `s${colour} d${dash}`, d: "M0 5H28" };
    return rocesim.shape("svg", { viewBox: "0 0 28 10", "aria-hidden": "true" }, rocesim.shape("path", path));
  },

  // say tells screen readers what has changed.
  say(text) {
    let region = document.getElementById("announcements");
    if (!region) {
      region = rocesim.make("div", { id: "announcements", class: "unseen", role: "status", "aria-live": "polite" });
      document.body.append(region);
    }
    region.textContent = text;
  },
};

// The theme is that of the system until the button is used. The choice lasts
// as long as the tab, where the browser lets a page remember anything.
(() => {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const remembered = () => {
    try {
      return sessionStorage.getItem("rocesim-theme");
    } catch {
      return null;
    }
  };
  const remember = (theme) => {
    try {
      sessionStorage.setItem("rocesim-theme", theme);
    } catch {
      // The choice holds for this page only.
    }
  };
  const shown = () => root.dataset.theme || (system.matches ? "dark" : "light");
  const label = () => {
    const other = shown() === "dark" ? "light" : "dark";
    button.textContent = other === "dark" ? "Dark theme" : "Light theme";
  };
  const changed = () => {
    label();
    rocesim.emit("theme", shown());
  };

  const before = remembered();
  if (before === "dark" || before === "light") {
    root.dataset.theme = before;
  }
  label();
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = shown() === "dark" ? "light" : "dark";
    remember(root.dataset.theme);
    changed();
  });
  system.addEventListener("change", changed);
})();

// Buttons that copy the text of the element that they name.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      rocesim.say("Copied");
    } catch {
      getSelection().selectAllChildren(source); // a file may not use the clipboard everywhere
      rocesim.say("Selected, copy it with the keyboard");
    }
  });
}

// A link to something inside closed details opens them.
(() => {
  const reveal = () => {
    let id = "";
    try {
      id = decodeURIComponent(location.hash.slice(1));
    } catch {
      return;
    }
    const target = id && document.getElementById(id);
    if (!target) {
      return;
    }
    for (let e = target; e; e = e.parentElement) {
      if (e.tagName === "DETAILS") {
        e.open = true;
      }
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
})();

"use strict";

// Tables that a reader can sort, search and widen. The rows come from the
// table's data; a sort is stable, so sorting by one column and then by another
// keeps the first order among equals.
(() => {
  // shownRows limits what is drawn at once: a browser lays out ten thousand
  // rows slowly.
  const shownRows = 1000;

  // rounded leaves a number of a file three decimals, one below 1 four
  // significant digits, as table.go does.
  const rounded = (text) => {
    if (!/\.\d{4,}$/.test(text)) {
      return text;
    }
    const size = Math.abs(Number(text));
    const decimals = size > 0 && size < 1 ? 3 - Math.floor(Math.log10(size)) : 3;
    return Number(text).toFixed(Math.min(100, decimals)).replace(/\.?0+$/, "");
  };

  class Table {
    constructor(root) {
      this.root = root;
      this.data = rocesim.data(root.dataset.table);
      this.columns = this.data.columns;
      this.rows = this.data.rows;
      this.order = this.rows.map((_, i) => i);
      this.sorted = { column: -1, descending: false };
      this.words = [];
      this.all = false;
      this.wide = this.columns.every((c) => c.shown);
      this.head = root.querySelector("thead");
      this.body = root.querySelector("tbody");
      root.querySelector(".rest")?.remove();
      this.controls();
      this.draw();
    }

    controls() {
      const caption = this.root.querySelector("caption").textContent;
      const tools = rocesim.make("div", { class: "tools" });
      if (this.rows.length > 5) {
        const label = `Filter: ${caption}`;
        this.filter = rocesim.make("input", { type: "search", placeholder: "Filter rows", "aria-label": label });
        this.filter.addEventListener("input", () => this.search(this.filter.value));
        tools.append(this.filter);
      }
      if (this.rows.length > this.data.first) {
        this.more = rocesim.make("button", { type: "button" });
        this.more.addEventListener("click", () => {
          this.all = !this.all;
          this.draw();
        });
        tools.append(this.more);
      }
      if (!this.wide) {
        const text = `All ${this.columns.length} columns`;
        const button = rocesim.make("button", { type: "button", "aria-pressed": "false" }, text);
        button.addEventListener("click", () => {
          this.wide = !this.wide;
          button.setAttribute("aria-pressed", String(this.wide));
          this.draw();
        });
        tools.append(button);
      }
      this.status = rocesim.make("span", { class: "faint", role: "status" });
      tools.append(this.status);
      this.root.prepend(tools);
    }

    // search keeps the rows in which each word occurs somewhere; a word in
    // quotes is all of a cell, so that "leaf1" is not leaf10.
    search(text) {
      this.words = Array.from(text.toLowerCase().matchAll(/"([^"]*)"|(\S+)/g), ([, whole, part]) => ({ whole, part }));
      this.draw();
    }

    matches(row) {
      return this.words.every(({ whole, part }) => row.some((cell, c) => {
        const texts = [cell.toLowerCase(), this.columns[c].number ? rounded(cell) : ""];
        return texts.some((text) => (whole === undefined ? text.includes(part) : text === whole));
      }));
    }

    // sort orders by a column; the same column again turns the order round.
    // Numbers begin with the largest, and empty cells come last.
    sort(column) {
      const number = this.columns[column].number;
      const again = this.sorted.column === column;
      const descending = again ? !this.sorted.descending : number;
      this.sorted = { column, descending };
      const sign = descending ? -1 : 1;
      const collator = new Intl.Collator("en", { numeric: true });
      this.order.sort((i, j) => {
        const a = this.rows[i][column];
        const b = this.rows[j][column];
        if (a === "" || b === "") {
          return (a === "") - (b === "");
        }
        return sign * (number ? Number(a) - Number(b) : collator.compare(a, b));
      });
      this.draw();
      rocesim.say(`Sorted by ${this.columns[column].name}, ${descending ? "descending" : "ascending"}`);
    }

    draw() {
      const columns = this.columns.map((_, c) => c).filter((c) => this.wide || this.columns[c].shown);
      const matching = this.order.filter((i) => this.matches(this.rows[i]));
      const limit = this.all ? shownRows : this.data.first;
      this.drawHead(columns);
      this.body.replaceChildren(...matching.slice(0, limit).map((i) => this.drawRow(i, columns)));
      this.drawStatus(matching.length, Math.min(limit, matching.length));
    }

    drawHead(columns) {
      const focused = this.head.contains(document.activeElement) ? document.activeElement.dataset.column : undefined;
      const cells = columns.map((c) => {
        const { name, doc, number } = this.columns[c];
        const button = rocesim.make("button", { type: "button", "data-column": c, title: doc });
        // A long name may break behind its underscores.
        for (const part of name.split(/(?<=_)/)) {
          button.append(part, document.createElement("wbr"));
        }
        button.addEventListener("click", () => this.sort(c));
        const cell = rocesim.make("th", { scope: "col", class: number ? "number" : "" }, button);
        if (this.sorted.column === c) {
          cell.setAttribute("aria-sort", this.sorted.descending ? "descending" : "ascending");
        }
        return cell;
      });
      this.head.replaceChildren(rocesim.make("tr", {}, ...cells));
      if (focused !== undefined) {
        this.head.querySelector(`[data-column="${focused}"]`)?.focus();
      }
    }

    drawRow(i, columns) {
      const row = this.rows[i];
      const cell = (c) => {
        const { number, wrap } = this.columns[c];
        const link = this.data.links?.[i][c];
        const seen = number ? rounded(row[c]) : row[c];
        const text = link ? rocesim.make("a", { href: link }, seen) : seen;
        const full = seen === row[c] ? {} : { title: row[c] };
        const look = number ? { class: "number", "data-value": row[c], ...full } : wrap ? { class: "wrap" } : {};
        return rocesim.make("td", look, text);
      };
      const grade = this.data.grades?.[i];
      return rocesim.make("tr", grade ? { class: grade } : {}, ...columns.map(cell));
    }

    drawStatus(matching, shown) {
      const total = this.rows.length;
      let text = `${shown} of ${matching} rows`;
      if (matching < total) {
        text += ` that match, of ${total}`;
      }
      this.status.textContent = total > this.data.first || matching < total ? text : "";
      if (this.more) {
        this.more.hidden = matching <= this.data.first;
        const more = `Show ${Math.min(matching, shownRows)} rows`;
        this.more.textContent = this.all ? `First ${this.data.first} rows` : more;
      }
    }
  }

  const tables = {};
  for (const root of document.querySelectorAll("[data-table]")) {
    tables[root.id] = new Table(root);
  }

  // A link to a table may carry words to filter it by.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[data-filter]");
    const table = link && tables[link.hash.slice(1)];
    if (table && table.filter) {
      table.filter.value = link.dataset.filter;
      table.search(link.dataset.filter);
    }
  });
})();

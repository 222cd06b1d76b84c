// The table of a study's trials: sorted, filtered, by pages.
import { formatNumber, withUnit } from "./data.js";
import { checkbox, element, select } from "./dom.js";
import { parseFilter } from "./filter.js";

const FIRST_METRICS = 8; // shown until the reader chooses others

export class TrialTable {
  /** traces: {trial: index}; onopen(index): show that trace. */
  constructor(data, traces, onopen) {
    Object.assign(this, { data, traces, onopen });
    this.sortColumn = null;
    this.ascending = true;
    this.pageSize = 25;
    this.page = 0;
    this.columns = new Set(this.firstColumns());
    this.order = [...Array(data.rowCount).keys()];
    this.makeControls();
    this.table = element("table", { class: "trial-table" });
    this.node = element(
      "div",
      {},
      this.controls,
      element("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Trials" }, this.table),
      this.pager,
    );
    this.update();
  }

  firstColumns() {
    const axes = new Set(this.data.axes.map(({ name }) => name));
    const always = new Set(["trial", "seed", "status", "ok"]);
    const metrics = this.data.columns
      .filter(({ name }) => name.includes(".") && !axes.has(name))
      .slice(0, FIRST_METRICS)
      .map(({ name }) => name);
    const shown = new Set(metrics);
    return this.data.columns
      .filter(({ name }) => always.has(name) || axes.has(name) || shown.has(name))
      .map(({ name }) => name);
  }

  makeControls() {
    this.filter = element("input", {
      type: "search",
      placeholder: this.example(),
      "aria-label": "Filter trials",
      spellcheck: "false",
      autocomplete: "off",
      oninput: () => this.refilter(),
    });
    this.message = element("output", { class: "message", "aria-live": "polite" });
    const boxes = this.data.columns.map(({ name }) =>
      checkbox(name, this.columns.has(name), (shown) => this.showColumn(name, shown)),
    );
    this.controls = element(
      "div",
      { class: "trial-controls" },
      element("label", { class: "field wide" }, element("span", {}, "filter"), this.filter),
      element(
        "details",
        { class: "columns" },
        element("summary", {}, "columns"),
        element("div", { class: "column-list" }, ...boxes),
      ),
      element("button", { type: "button", onclick: () => this.save() }, "save as CSV"),
      this.message,
    );
    this.pager = element("nav", { class: "pager", "aria-label": "Pages of trials" });
  }

  example() {
    const bool = this.data.columns.find(({ unit, name }) => unit === "bool" && name.includes("."));
    const axis = this.data.axes.find(({ is_number: isNumber }) => isNumber);
    return (
      [bool && `${bool.name} = 1`, axis && `${axis.name} > ${axis.values[0] ?? 0}`].filter(Boolean).join(" and ") ||
      "a text, or column > number"
    );
  }

  showColumn(name, shown) {
    if (shown) this.columns.add(name);
    else this.columns.delete(name);
    this.show();
  }

  setFilter(text) {
    this.filter.value = text;
    this.refilter();
    this.node.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  refilter() {
    this.page = 0;
    this.update();
  }

  sortBy(name) {
    this.ascending = this.sortColumn === name ? !this.ascending : true;
    this.sortColumn = name;
    this.page = 0;
    this.update();
  }

  update() {
    try {
      const keeps = parseFilter(this.filter.value, this.data.columns);
      this.order = [...Array(this.data.rowCount).keys()].filter(keeps);
      const { cut } = this.data.study;
      const whole = cut ? ` (the first ${this.data.rowCount} of ${this.data.rowCount + cut} are in this page)` : "";
      this.message.textContent = `${this.order.length} of ${this.data.rowCount} trials${whole}`;
      this.filter.removeAttribute("aria-invalid");
    } catch (error) {
      this.message.textContent = error.message;
      this.filter.setAttribute("aria-invalid", "true");
    }
    if (this.sortColumn) this.sort();
    this.show();
  }

  // Empty values last, whichever way.
  sort() {
    const { kind, values } = this.data.column(this.sortColumn);
    const sign = this.ascending ? 1 : -1;
    const isEmpty = kind === "number" ? (value) => !Number.isFinite(value) : (value) => value === "";
    const compare = kind === "number" ? (a, b) => a - b : (a, b) => a.localeCompare(b, "en", { numeric: true });
    this.order.sort((a, b) => {
      const [emptyA, emptyB] = [isEmpty(values[a]), isEmpty(values[b])];
      if (emptyA || emptyB) return emptyA - emptyB || a - b;
      return sign * compare(values[a], values[b]) || a - b;
    });
  }

  shownColumns() {
    return this.data.columns.filter(({ name }) => this.columns.has(name));
  }

  show() {
    const columns = this.shownColumns();
    const pages = Math.max(1, Math.ceil(this.order.length / this.pageSize));
    this.page = Math.min(this.page, pages - 1);
    const rows = this.order.slice(this.page * this.pageSize, (this.page + 1) * this.pageSize);
    this.table.replaceChildren(
      element("thead", {}, element("tr", {}, ...columns.map((column) => this.header(column)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...columns.map((column) => this.cell(column, row))))),
    );
    this.showPager(pages);
  }

  header(column) {
    const sorted = this.sortColumn === column.name;
    const arrow = sorted ? (this.ascending ? " ▲" : " ▼") : "";
    const unit = column.unit === "bool" ? "" : column.unit;
    const button = element(
      "button",
      { type: "button", title: column.doc, onclick: () => this.sortBy(column.name) },
      withUnit(column.name, unit) + arrow,
    );
    const sort = sorted ? (this.ascending ? "ascending" : "descending") : "none";
    return element("th", { scope: "col", "aria-sort": sort, class: column.kind }, button);
  }

  cell(column, row) {
    const value = column.values[row];
    const trace = column.name === "trial" ? this.traces[value] : undefined;
    if (trace !== undefined) {
      const open = element(
        "button",
        { type: "button", class: "open", title: "Show its replay", onclick: () => this.onopen(trace) },
        `▶ ${value}`,
      );
      return element("td", { class: "number" }, open);
    }
    if (column.unit === "bool" && Number.isFinite(value))
      return element("td", { class: "number" }, value > 0.5 ? "yes" : "no");
    return element("td", { class: column.kind }, column.kind === "number" ? formatNumber(value) : value);
  }

  showPager(pages) {
    const go = (label, page) =>
      element(
        "button",
        { type: "button", disabled: page < 0 || page >= pages || page === this.page, onclick: () => this.go(page) },
        label,
      );
    this.pager.replaceChildren(
      go("first", 0),
      go("previous", this.page - 1),
      element("span", {}, `page ${this.page + 1} of ${pages}`),
      go("next", this.page + 1),
      go("last", pages - 1),
      select(
        "rows",
        [25, 50, 100, 500].map((size) => [size, size]),
        this.pageSize,
        (size) => {
          this.pageSize = Number(size);
          this.go(0);
        },
      ),
    );
  }

  go(page) {
    this.page = page;
    this.show();
  }

  // What is filtered and shown, as it is sorted.
  save() {
    const columns = this.shownColumns();
    const quote = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const show = (value) => (typeof value === "number" ? (Number.isFinite(value) ? String(value) : "") : quote(value));
    const lines = [
      columns.map(({ name }) => quote(name)),
      ...this.order.map((row) => columns.map(({ values }) => show(values[row]))),
    ];
    const text = lines.map((line) => line.join(",")).join("\r\n") + "\r\n";
    const link = element("a", {
      download: "trials.csv",
      href: URL.createObjectURL(new Blob([text], { type: "text/csv" })),
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

// Charts of a study: a measure over every axis, over two of them, for each value of a third, and around the character.
import * as Plot from "@observablehq/plot";
import { cssColor, element, onColorScheme, select } from "./dom.js";
import { rose } from "./rose.js";
import { describePlace, describeValue, formatMeasure, formatValue, percent } from "./study_data.js";
import { formatNumber } from "./data.js";

const OVERVIEW_HEIGHT = 220;
const DETAIL_HEIGHT = 320;
const LEAST_WIDTH = 100;
const MOST_SLICES = 16;
const MOST_RINGS = 16;

export class StudyPlots {
  /** onpick([{axis, value}]): the reader wants the trials there. */
  constructor(data, onpick) {
    this.data = data;
    this.onpick = onpick;
    [this.measure] = data.main;
    this.first = data.crossed.find((axis) => axis.is_turn) ?? data.crossed[0];
    const others = data.crossed.filter((axis) => axis !== this.first);
    this.second = others.find(({ index }) => index === data.study.directions?.outward) ?? others[0];
    this.controls = element("div", { class: "study-controls" });
    this.charts = element("div", { class: "study-charts" });
    this.node = element("div", {}, this.controls, this.charts);
    onColorScheme(() => this.draw());
  }

  /** Draws, and again whenever the width changes. To be called once the node is in the page. */
  watch() {
    let width = 0;
    new ResizeObserver(() => {
      if (Math.abs(this.charts.clientWidth - width) < 2) return;
      width = this.charts.clientWidth;
      this.draw();
    }).observe(this.charts);
  }

  /** Shows another measure. */
  choose(key) {
    this.measure = this.data.measures.find((measure) => measure.key === key) ?? this.measure;
    this.draw();
  }

  /** What is drawn over one axis or two, by their names. */
  points(names) {
    const axes = names.map((name) => this.data.crossed.find((axis) => axis.name === name));
    return axes.every(Boolean) ? this.data.points(this.measure, axes) : [];
  }

  showControls() {
    const { crossed, measures } = this.data;
    const axisChoices = crossed.map((axis) => [axis.index, axis.label]);
    const choose = (name) => (value) => {
      this[name] = crossed.find((axis) => String(axis.index) === value);
      if (this.first === this.second)
        this[name === "first" ? "second" : "first"] = crossed.find((axis) => axis !== this[name]);
      this.draw();
    };
    this.controls.replaceChildren(
      select(
        "measure",
        measures.map(({ key }) => [key, key]),
        this.measure.key,
        (key) => this.choose(key),
      ),
      crossed.length > 1 ? select("axis", axisChoices, this.first.index, choose("first")) : "",
      crossed.length > 1 ? select("and", axisChoices, this.second.index, choose("second")) : "",
    );
  }

  draw() {
    if (this.charts.clientWidth < LEAST_WIDTH) return; // not laid out yet
    this.showControls();
    const overview = [...this.data.crossed, ...this.data.drawn].map((axis) => this.axisChart(axis));
    const title = `${this.measure.key}: ${describeValue(this.measure, this.data.whole(this.measure))}`;
    this.charts.replaceChildren(
      element("p", { class: "chart-title" }, title, element("span", { class: "note" }, this.measure.column.doc)),
      ...overview,
      ...(this.second ? this.pairCharts() : []),
      ...(this.first?.is_turn ? this.around() : []),
    );
    if (overview.length === 0)
      this.charts.append(element("p", { class: "note" }, "No axis has several values: see the tables."));
  }

  pairCharts() {
    const axes = [this.first, this.second];
    if (!this.data.grid(axes))
      return [element("p", { class: "note" }, "These two axes have too many cells for this page: see summary.csv.")];
    const third = this.data.crossed.find((axis) => !axes.includes(axis));
    const slices =
      this.data.crossed.length === 3 && third.values.length <= MOST_SLICES && this.data.grid([...axes, third])
        ? third.values.map((value) => this.heatMap([{ axis: third, value }]))
        : [];
    return [this.linesChart(), this.heatMap(), ...slices];
  }

  /** How many columns of the grid of charts there are, and so how wide a chart is. */
  chartWidth() {
    const { clientWidth } = this.charts;
    const columns = Math.max(1, Math.floor((clientWidth + 24) / (380 + 24)));
    return Math.floor((clientWidth - 24 * (columns - 1)) / columns);
  }

  figure(kind, caption, chart) {
    const figure = element("figure", { class: `chart ${kind}` }, element("figcaption", {}, caption), chart);
    figure.style.width = `${this.chartWidth()}px`;
    return figure;
  }

  valueScale() {
    const share = this.measure.isShare;
    return {
      grid: true,
      label: null,
      nice: true,
      ...(share ? { domain: [0, 1], tickFormat: percent } : { zero: false, tickFormat: formatNumber }),
    };
  }

  common(height) {
    return {
      width: this.chartWidth(),
      height,
      marginLeft: 52,
      marginRight: 14,
      marginTop: 12,
      marginBottom: 36,
      style: { background: "transparent", fontSize: "11px" },
    };
  }

  axisChart(axis) {
    const points = this.data.points(this.measure, [axis]);
    const shown = points.filter(({ value }) => value !== null).map((point) => ({ ...point, x: point.values[0] }));
    const color = cssColor("--link");
    const chart = Plot.plot({
      ...this.common(OVERVIEW_HEIGHT),
      x: xScale(axis),
      y: this.valueScale(),
      ariaLabel: `${this.measure.title} over ${axis.label}`,
      marks: [
        axis.is_number ? Plot.line(shown, { x: "x", y: "value", stroke: color, strokeOpacity: 0.35 }) : null,
        Plot.ruleX(shown, { x: "x", y1: "low", y2: "high", stroke: color, strokeWidth: 1.5 }),
        Plot.dot(shown, { x: "x", y: "value", fill: color, r: 4, ariaLabel: "text", title: "text", tip: tipStyle() }),
      ],
    });
    if (!axis.random) this.pickOnClick(chart, [axis]);
    const bins = axis.random ? `${points.length} bins of equal number, ` : "";
    const what = bins + this.data.intervalName(this.measure, [axis]);
    return this.figure("axis", `${this.measure.title}, by ${axis.name} · ${what}`, chart);
  }

  linesChart() {
    const axes = [this.first, this.second];
    const points = this.data.points(this.measure, axes).filter(({ value }) => value !== null);
    const rows = points.map((point) => ({ ...point, x: point.values[0], group: formatValue(point.values[1]) }));
    const range = this.second.values.map((_, i, all) => seriesColor(this.second, i, all.length));
    const chart = Plot.plot({
      ...this.common(DETAIL_HEIGHT),
      x: xScale(this.first),
      y: this.valueScale(),
      color: { type: "ordinal", domain: this.second.values.map(formatValue), range },
      ariaLabel: `${this.measure.title} over ${this.first.label} for each ${this.second.label}`,
      marks: this.second.values.flatMap((_, i, all) => {
        const own = rows.filter(({ places }) => places[1] === i);
        const place = { x: "x", dx: sideways(i, all.length) };
        return [
          Plot.line(own, { ...place, y: "value", stroke: "group", strokeWidth: 1.5 }),
          Plot.ruleX(own, { ...place, y1: "low", y2: "high", stroke: "group", strokeOpacity: 0.6 }),
          Plot.dot(own, {
            ...place,
            y: "value",
            fill: "group",
            r: 3.5,
            ariaLabel: "text",
            title: "text",
            tip: tipStyle(),
          }),
        ];
      }),
    });
    this.pickOnClick(chart, axes);
    const key = element(
      "div",
      { class: "chart-key" },
      element("span", {}, this.second.label),
      ...this.second.values.map((value, i) => {
        const item = element("span", {}, element("i"), formatValue(value));
        item.style.setProperty("--color", range[i]);
        return item;
      }),
    );
    const figure = this.figure("lines", `${this.measure.title} · ${this.data.intervalName(this.measure, axes)}`, chart);
    figure.append(key);
    return figure;
  }

  // The cells over two axes; of a third one those of one value.
  cells(slice) {
    const points = this.data.points(this.measure, [this.first, this.second, ...slice.map(({ axis }) => axis)]);
    return points.filter(({ values }) => slice.every(({ value }, i) => values[2 + i] === value));
  }

  // From the least to the most of the cells, which all slices share.
  domain(axes) {
    const values = this.data.points(this.measure, axes).map(({ value }) => value);
    const known = values.filter((value) => value !== null);
    return this.measure.isShare || known.length === 0 ? [0, 1] : [Math.min(...known), Math.max(...known)];
  }

  heatMap(slice = []) {
    const axes = [this.first, this.second, ...slice.map(({ axis }) => axis)];
    const cells = this.cells(slice).map((cell) => ({ ...cell, x: cell.values[0], y: cell.values[1] }));
    const known = cells.filter(({ value }) => value !== null);
    const domain = this.domain(axes);
    const format = this.measure.isShare ? (value) => String(Math.round(100 * value)) : formatNumber;
    const roomy = this.chartWidth() / this.first.values.length > 24;
    const middle = (domain[0] + domain[1]) / 2;
    const chart = Plot.plot({
      ...this.common(slice.length ? OVERVIEW_HEIGHT : DETAIL_HEIGHT),
      marginLeft: 64,
      x: {
        type: "band",
        domain: this.first.values,
        label: this.first.label,
        padding: 0.03,
        ...thinTicks(this.first.values, this.chartWidth() - 80),
      },
      y: {
        type: "band",
        domain: [...this.second.values].reverse(),
        label: this.second.label,
        padding: 0.03,
        tickFormat: formatValue,
      },
      color: { type: "linear", domain, range: [cssColor("--heat-low"), cssColor("--heat-high")], interpolate: "lab" },
      ariaLabel: `${this.measure.title} over ${this.first.label} and ${this.second.label}`,
      marks: [
        Plot.cell(cells, { x: "x", y: "y", fill: cssColor("--rule") }),
        Plot.cell(known, { x: "x", y: "y", fill: "value", ariaLabel: "text", title: "text", tip: tipStyle() }),
        roomy
          ? Plot.text(known, {
              x: "x",
              y: "y",
              text: ({ value }) => format(value),
              fill: ({ value }) => (value > middle ? cssColor("--heat-high-ink") : cssColor("--ink")),
              fontSize: 10,
              pointerEvents: "none",
            })
          : null,
      ],
    });
    // The page's style for texts in pictures would win over their attribute.
    for (const text of chart.querySelectorAll('[aria-label="text"] text')) text.style.fill = text.getAttribute("fill");
    this.pickOnClick(chart, axes);
    const unit = this.measure.isShare ? "%" : this.measure.column.unit || "-";
    const where = slice.map(({ axis, value }) => `${describePlace(axis, value)} · `).join("");
    return this.figure(slice.length ? "slice" : "heat", `${where}${this.measure.title} · in ${unit}`, chart);
  }

  // The same around the character, the second axis outward.
  around() {
    const axes = [this.first, this.second].filter(Boolean);
    const rings = this.second ? this.second.values.map(formatValue) : [""];
    if (rings.length > MOST_RINGS || !this.data.grid(axes)) return [];
    const points = this.data.points(this.measure, axes);
    const [low, high] = this.domain(axes);
    // 360 deg is where 0 deg is.
    const sectors = this.first.values.filter((value, i, all) => i === 0 || Math.abs(value - all[0]) < 360 - 1e-6);
    const cell = (ring, sector) => {
      const { value, values, text } = points.find(({ places: [at, out = 0] }) => at === sector && out === ring);
      const share = high > low ? (value - low) / (high - low) : 1;
      const color = `color-mix(in lab, var(--heat-high) ${100 * share}%, var(--heat-low))`;
      const onpick = () => this.onpick(axes.map((axis, i) => ({ axis, value: values[i] })));
      return { text, patches: value === null ? [] : [{ color }], onpick };
    };
    const size = Math.min(this.chartWidth(), DETAIL_HEIGHT + 60);
    const range = `${formatMeasure(this.measure, low)} to ${formatMeasure(this.measure, high)}`;
    const outward = this.second ? `, outward: ${this.second.label}` : "";
    const chart = rose({ size, sectors, rings, cell, label: `${this.measure.title} around the character` });
    return [this.figure("around", `${this.measure.title} · ${range}${outward}`, chart)];
  }

  // A click on a mark filters the table of trials.
  pickOnClick(chart, axes) {
    chart.style.cursor = "pointer";
    chart.addEventListener("click", () => {
      if (chart.value?.places) this.onpick(axes.map((axis, i) => ({ axis, value: chart.value.values[i] })));
    });
  }
}

function xScale(axis) {
  const whole = axis.values.length > 1 ? { domain: [Math.min(...axis.values), Math.max(...axis.values)] } : {};
  if (axis.is_number)
    return {
      label: axis.label,
      grid: false,
      nice: false,
      inset: 10,
      tickFormat: formatNumber,
      ...whole, // also where only some of its trials are done
      ...numberTicks(axis),
    };
  return { type: "point", domain: axis.values.length ? axis.values : undefined, label: axis.label };
}

// The values themselves where they are few.
function numberTicks(axis) {
  if (axis.is_turn && axis.values.length > 8) return { ticks: directionTicks(axis) };
  return axis.values.length > 0 && axis.values.length <= 8 ? { ticks: axis.values } : {};
}

function directionTicks(axis) {
  const [low, high] = [Math.min(...axis.values), Math.max(...axis.values)];
  return Array.from({ length: 17 }, (_, i) => -360 + 45 * i).filter((tick) => tick >= low && tick <= high);
}

// px: lines of one chart stand a little beside each other, so that none hides another's intervals.
function sideways(index, count) {
  return (index - (count - 1) / 2) * Math.min(4, 16 / count);
}

// As many names as there is room for.
function thinTicks(values, width) {
  const step = Math.ceil((values.length * 34) / Math.max(width, 1));
  return { ticks: values.filter((_, i) => i % step === 0), tickFormat: formatValue };
}

// Numbers go from light to dark, names have colours of their own.
function seriesColor(axis, index, count) {
  if (!axis.is_number) return cssColor(`--c${index % 10}`);
  const share = count > 1 ? index / (count - 1) : 1;
  return `color-mix(in oklab, ${cssColor("--ramp-high")} ${Math.round(100 * share)}%, ${cssColor("--ramp-low")})`;
}

function tipStyle() {
  return { fill: cssColor("--paper"), stroke: cssColor("--rule"), textPadding: 8 };
}

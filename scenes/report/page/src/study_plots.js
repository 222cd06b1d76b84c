// Charts of a study: a measure over every axis, over two of them, and over directions.
import * as Plot from "@observablehq/plot";
import { cssColor, element, onColorScheme, select } from "./dom.js";
import { polarChart } from "./polar.js";
import { formatValue, percent } from "./study_data.js";
import { formatNumber } from "./data.js";

const OVERVIEW_HEIGHT = 220;
const DETAIL_HEIGHT = 320;

export class StudyPlots {
  /** onpick([{axis, value}]): the reader wants the trials there. */
  constructor(data, onpick) {
    this.data = data;
    this.onpick = onpick;
    this.measure = data.firstMeasure();
    this.first = data.crossed.find(isDirection) ?? data.crossed[0];
    this.second = data.crossed.find((axis) => axis !== this.first);
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
    return axes.every(Boolean) ? this.data.aggregate(this.measure, axes) : [];
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
    if (!this.measure) {
      this.charts.replaceChildren(element("p", {}, "No trial is done."));
      return;
    }
    this.showControls();
    const overview = [...this.data.crossed, ...this.data.drawn].map((axis) => this.axisChart(axis));
    const pair = this.second ? [this.linesChart(), this.heatMap()] : [];
    const polar = this.first && isDirection(this.first) ? [this.polar()] : [];
    this.charts.replaceChildren(element("p", { class: "chart-title" }, this.title()), ...overview, ...pair, ...polar);
  }

  title() {
    const all = this.data.study.summary.find(
      (row) =>
        row.scope === "all" && row.column === this.measure.columnIndex && (row.label ?? "") === this.measure.label,
    );
    const value = all
      ? this.data
          .describeValue(
            this.measure,
            this.measure.isShare
              ? { n: all.count, value: all.share, low: all.share_low, high: all.share_high }
              : { n: all.count, value: all.median, low: all.median_low, high: all.median_high },
          )
          .replace("\n", " ")
      : "";
    return value ? `${this.measure.key}: ${value}` : this.measure.key;
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
    const crossed = axis.values.length > 0;
    const points = (crossed ? this.data.aggregate(this.measure, [axis]) : this.data.bins(this.measure, axis)).map(
      (point) => ({ ...point, x: point.values[0] }),
    );
    const shown = points.filter(({ value }) => Number.isFinite(value) && value !== null);
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
    if (crossed) this.pickOnClick(chart, [axis]);
    const what = crossed ? this.data.intervalName(this.measure, [axis]) : `${points.length} bins of equal number`;
    return this.figure("axis", `${this.measure.title}, by ${axis.name} · ${what}`, chart);
  }

  linesChart() {
    const axes = [this.first, this.second];
    const points = this.data
      .aggregate(this.measure, axes)
      .filter(({ value }) => Number.isFinite(value) && value !== null);
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

  heatMap() {
    const axes = [this.first, this.second];
    const cells = this.data
      .aggregate(this.measure, axes)
      .map((cell) => ({ ...cell, x: cell.values[0], y: cell.values[1] }));
    const known = cells.filter(({ value }) => Number.isFinite(value) && value !== null);
    const values = known.map(({ value }) => value);
    const domain = this.measure.isShare ? [0, 1] : [Math.min(...values), Math.max(...values)];
    const format = this.measure.isShare ? (value) => String(Math.round(100 * value)) : formatNumber;
    const roomy = this.chartWidth() / this.first.values.length > 24;
    const middle = (domain[0] + domain[1]) / 2;
    const chart = Plot.plot({
      ...this.common(DETAIL_HEIGHT),
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
    return this.figure("heat", `${this.measure.title} · in ${unit}`, chart);
  }

  polar() {
    const groups = this.second
      ? this.data.aggregate(this.measure, [this.first, this.second])
      : this.data.aggregate(this.measure, [this.first]);
    const series = this.second ? this.second.values : [""];
    const lines = series.map((value, i) => ({
      name: value === "" ? "" : formatValue(value),
      color: this.second ? seriesColor(this.second, i, series.length) : cssColor("--link"),
      points: groups
        .filter(({ places }) => !this.second || places[1] === i)
        .map((group) => ({ ...group, degrees: Number(group.values[0]) })),
    }));
    const most = this.measure.isShare ? 1 : Math.max(0, ...groups.map(({ value }) => value ?? 0));
    const chart = polarChart({
      size: Math.min(this.chartWidth(), DETAIL_HEIGHT + 40),
      lines,
      most,
      format: this.measure.isShare ? percent : formatNumber,
      label: this.measure.title,
    });
    return this.figure(
      "polar",
      `${this.measure.title} by ${this.first.name} · 0 pushes forward (up), 90 to the left`,
      chart,
    );
  }

  // A click on a mark filters the table of trials.
  pickOnClick(chart, axes) {
    chart.style.cursor = "pointer";
    chart.addEventListener("click", () => {
      if (chart.value?.places) this.onpick(axes.map((axis, i) => ({ axis, value: chart.value.values[i] })));
    });
  }
}

/** Whether an axis goes around: degrees over at least half a turn. */
function isDirection(axis) {
  if (!axis.is_number || axis.unit !== "deg" || axis.values.length < 4) return false;
  return Math.max(...axis.values) - Math.min(...axis.values) >= 180;
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
  if (isDirection(axis) && axis.values.length > 8) return { ticks: directionTicks(axis) };
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

// A study's results: what they came to for any of its axes, from the summary where that has it, else from the trials.
import { decode, formatNumber, withUnit } from "./data.js";

const Z = 1.959963984540054; // 95 %

/** Wilson's score interval of a share. */
export function wilson(successes, count) {
  if (count === 0) return [0, 1];
  const share = successes / count;
  const spread = (Z * Z) / count;
  const middle = share + spread / 2;
  const half = Z * Math.sqrt((share * (1 - share)) / count + spread / (4 * count));
  return [Math.max(0, (middle - half) / (1 + spread)), Math.min(1, (middle + half) / (1 + spread))];
}

/** The quantile of sorted values, linear between order statistics. */
export function quantile(sorted, share) {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
}

export class StudyData {
  constructor(study) {
    this.study = study;
    this.columns = study.columns.map((column) => ({ ...column, values: columnValues(study.rows[column.name]) }));
    this.rowCount = Math.max(0, ...this.columns.map(({ values }) => values.length));
    this.axes = study.axes.map((axis, index) => ({
      ...axis,
      index,
      values: axis.values ?? [],
      label: withUnit(axis.name, axis.unit),
    }));
    this.crossed = this.axes.filter((axis) => axis.values.length > 0);
    this.drawn = this.axes.filter((axis) => axis.values.length === 0 && this.column(axis.name)?.kind === "number");
    this.measures = this.findMeasures();
  }

  column(name) {
    return this.columns.find((column) => column.name === name);
  }

  // What can be shown: one for each metric; of texts, one for each label.
  findMeasures() {
    const measures = new Map();
    for (const row of this.study.summary) {
      const column = this.columns[row.column];
      const isShare = column.unit === "bool" || column.kind === "text";
      const key = row.label ? `${column.name}: ${row.label}` : column.name;
      const title = isShare
        ? `share of trials with ${row.label ? `${column.name} = ${row.label}` : column.name}`
        : `median of ${withUnit(column.name, column.unit)}`;
      if (!measures.has(key))
        measures.set(key, { key, title, isShare, column, columnIndex: row.column, label: row.label ?? "" });
    }
    return [...measures.values()];
  }

  /** What a reader looks at first: who fell, else the first yes or no, else anything but the bookkeeping. */
  firstMeasure() {
    const find = (test) => this.measures.find(test);
    const later = ({ column }) => !["ok", "status", "time"].includes(column.name);
    return (
      find(({ key }) => /(^|\.)fell$/.test(key)) ??
      find((m) => m.isShare && later(m)) ??
      find(later) ??
      this.measures[0]
    );
  }

  /** The places of a cell on the crossed axes; the last axis is the fastest. */
  cellPlaces(cell) {
    const places = [];
    let rest = cell;
    for (let i = this.crossed.length - 1; i >= 0; i--) {
      const { length } = this.crossed[i].values;
      places[i] = rest % length;
      rest = Math.floor(rest / length);
    }
    return places;
  }

  /** For all combinations of the values of some crossed axes: [{places, values, n, value, low, high, text}]. */
  aggregate(measure, axes) {
    const groups = this.fromSummary(measure, axes) ?? this.fromRows(measure, axes);
    for (const group of groups) {
      group.values = axes.map((axis, i) => axis.values[group.places[i]]);
      group.text = this.describe(measure, axes, group);
    }
    return groups;
  }

  /** What the intervals are, and of which trials. */
  intervalName(measure, axes) {
    const summarised = this.fromSummary(measure, axes) !== null;
    const part = !summarised && this.study.cut ? `, of the first ${this.rowCount} trials` : "";
    if (measure.isShare) return `95 % interval (Wilson)${part}`;
    return summarised ? "95 % interval of the median (bootstrap)" : `quartiles of the trials${part}`;
  }

  summaryScope(axes) {
    if (axes.length === 1) return "axis";
    return axes.length === this.crossed.length ? "cell" : null;
  }

  fromSummary(measure, axes) {
    const scope = this.summaryScope(axes);
    // The data of a large study lack the rows of cells.
    if (!scope || !this.study.summary.some((row) => row.scope === scope)) return null;
    const ofMeasure = (row) =>
      row.scope === scope && row.column === measure.columnIndex && (row.label ?? "") === measure.label;
    const rows = this.study.summary.filter((row) => ofMeasure(row) && (scope === "cell" || row.axis === axes[0].index));
    const found = rows.map((row) => {
      const places =
        scope === "axis" ? [row.value] : axes.map((axis) => this.cellPlaces(row.cell)[this.crossed.indexOf(axis)]);
      const [value, low, high] = measure.isShare
        ? [row.share, row.share_low, row.share_high]
        : [row.median, row.median_low, row.median_high];
      return { places, n: row.count, value, low, high };
    });
    if (measure.label) return this.withAbsent(found, axes);
    const all = axes.reduce((product, axis) => product * axis.values.length, 1);
    return found.length === all ? found : null;
  }

  // A label that no trial of a group has may have no row there: its share is 0.
  withAbsent(groups, axes) {
    const known = new Set(groups.map(({ places }) => places.join()));
    const perGroup = this.study.done / axes.reduce((product, axis) => product * axis.values.length, 1);
    for (const places of combinations(axes.map((axis) => axis.values.length))) {
      if (known.has(places.join())) continue;
      const [low, high] = wilson(0, perGroup);
      groups.push({ places, n: perGroup, value: 0, low, high });
    }
    return groups.sort((a, b) => compareLists(a.places, b.places));
  }

  fromRows(measure, axes) {
    const cells = this.column("cell").values;
    const groups = new Map();
    for (const places of combinations(axes.map((axis) => axis.values.length)))
      groups.set(places.join(), { places, values: [] });
    for (let row = 0; row < this.rowCount; row++) {
      const cell = this.cellPlaces(cells[row]);
      groups.get(axes.map((axis) => cell[this.crossed.indexOf(axis)]).join())?.values.push(measure.column.values[row]);
    }
    return [...groups.values()].map(({ places, values }) => ({ places, ...estimate(measure, values) }));
  }

  /** Over an axis drawn anew for each trial: its trials in bins of equal number. */
  bins(measure, axis, most = 10) {
    const places = this.column(axis.name).values;
    const order = [...places.keys()]
      .filter((row) => Number.isFinite(places[row]))
      .sort((a, b) => places[a] - places[b]);
    const count = Math.max(1, Math.min(most, Math.floor(order.length / 8)));
    const bins = [];
    for (let bin = 0; bin < count && order.length; bin++) {
      const rows = order.slice(
        Math.floor((bin * order.length) / count),
        Math.floor(((bin + 1) * order.length) / count),
      );
      const found = estimate(
        measure,
        rows.map((row) => measure.column.values[row]),
      );
      const middle = quantile(
        rows.map((row) => places[row]),
        0.5,
      );
      const span = `${formatNumber(places[rows[0]])} to ${formatNumber(places[rows[rows.length - 1]])}`;
      bins.push({ ...found, values: [middle], text: `${axis.name} ${span}\n${this.describeValue(measure, found)}` });
    }
    return bins;
  }

  describe(measure, axes, group) {
    const where = axes.map(
      (axis, i) =>
        `${axis.name} ${formatValue(group.values[i])}${axis.unit && axis.unit !== "-" ? ` ${axis.unit}` : ""}`,
    );
    return `${where.join(", ")}\n${this.describeValue(measure, group)}`;
  }

  describeValue(measure, { n, value, low, high }) {
    const show = measure.isShare ? percent : formatNumber;
    if (value === null || !Number.isFinite(value)) return "no trial has it";
    const name = measure.isShare ? "share" : "median";
    return `${name} ${show(value)} (${show(low)} to ${show(high)})\nof ${Math.round(n)} trials`;
  }
}

function columnValues(values) {
  if (!values) return [];
  return Array.isArray(values) ? values : decode(values);
}

function estimate(measure, values) {
  if (measure.isShare) {
    const hits = measure.label
      ? values.map((text) => text !== "" && text.split(":")[0] === measure.label)
      : values.filter(Number.isFinite).map((value) => value > 0.5);
    const successes = hits.filter(Boolean).length;
    const [low, high] = wilson(successes, hits.length);
    return { n: hits.length, value: hits.length ? successes / hits.length : null, low, high };
  }
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (!sorted.length) return { n: 0, value: null, low: null, high: null };
  return { n: sorted.length, value: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

function* combinations(counts, head = []) {
  if (head.length === counts.length) yield head;
  else for (let i = 0; i < counts[head.length]; i++) yield* combinations(counts, [...head, i]);
}

function compareLists(a, b) {
  const differs = a.findIndex((value, i) => value !== b[i]);
  return differs < 0 ? 0 : a[differs] - b[differs];
}

export function percent(share) {
  return share === null ? "–" : `${formatNumber(Math.round(share * 1000) / 10)} %`;
}

export function formatValue(value) {
  return typeof value === "number" ? formatNumber(value) : String(value);
}

// A study's results: what they came to for any of its axes, from the summary where that has it, else from the trials.
import { decode, formatNumber, withUnit } from "./data.js";

const Z = 1.959963984540054; // 95 %

// Student's quantiles of 97.5 % for 1, 2 .. 10 degrees of freedom.
const STUDENT = [12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139];

/** Student's quantile of 97.5 %: of many degrees of freedom by a series around the normal one. */
function student(freedom) {
  if (freedom <= STUDENT.length) return STUDENT[Math.max(freedom, 1) - 1];
  const first = (Z ** 3 + Z) / 4;
  const second = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96;
  const third = (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384;
  return Z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}

/** Wilson's score interval of a share; count: of independent trials, not always whole. */
function wilson(share, count) {
  const spread = (Z * Z) / count;
  const middle = share + spread / 2;
  const half = Z * Math.sqrt((share * (1 - share)) / count + spread / (4 * count));
  return [Math.max(0, (middle - half) / (1 + spread)), Math.min(1, (middle + half) / (1 + spread))];
}

/** How many independent trials tell as much as these clusters, [successes, trials] each: see sweep/statistics.h. */
function effectiveCount(clusters) {
  const sum = (of) => clusters.reduce((total, cluster) => total + of(cluster), 0);
  const m = clusters.length;
  const n = sum(([, trials]) => trials);
  const share = sum(([successes]) => successes) / n;
  if (m === n) return n;
  if (m < 2 || share === 0 || share === 1) return m;
  const variance = ((m / (m - 1)) * sum(([y, trials]) => (y - share * trials) ** 2)) / (n * n);
  const independent = (share * (1 - share)) / (n - 1);
  return Math.min(n, ((n * independent) / variance) * (student(n - 1) / student(m - 1)) ** 2);
}

/** The quantile of sorted values, linear between order statistics. */
function quantile(sorted, share) {
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
    const over = this.summaryScope(axes) === "cell" ? "" : ", repeats as clusters";
    if (measure.isShare) return `95 % interval (Wilson${over})${part}`;
    return summarised ? `95 % interval of the median (bootstrap${over})` : `quartiles of the trials${part}`;
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
    const all = axes.reduce((product, axis) => product * axis.values.length, 1);
    return found.length === all ? found : null;
  }

  fromRows(measure, axes) {
    const cells = this.column("cell").values;
    const groups = new Map();
    for (const places of combinations(axes.map((axis) => axis.values.length)))
      groups.set(places.join(), { places, rows: [] });
    for (let row = 0; row < this.rowCount; row++) {
      const cell = this.cellPlaces(cells[row]);
      groups.get(axes.map((axis) => cell[this.crossed.indexOf(axis)]).join())?.rows.push(row);
    }
    return [...groups.values()].map(({ places, rows }) => ({ places, ...this.estimate(measure, rows) }));
  }

  // The metrics of a trial that was cut short tell of no whole trial.
  counts(measure, row) {
    return ["status", "ok"].includes(measure.column.name) || this.column("status").values[row] === "complete";
  }

  /** A share with its interval, or a median with the quartiles, of some trials. */
  estimate(measure, trials) {
    const { values } = measure.column;
    const applies = (row) => (measure.label ? values[row] !== "" : Number.isFinite(values[row]));
    const rows = trials.filter((row) => this.counts(measure, row) && applies(row));
    const n = rows.length;
    if (!n) return { n, value: null, low: null, high: null };
    if (measure.isShare) return this.estimateShare(measure, rows);
    const sorted = rows.map((row) => values[row]).sort((a, b) => a - b);
    return { n, value: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
  }

  estimateShare(measure, rows) {
    const { values } = measure.column;
    const repeats = this.column("repeat").values;
    const clusters = new Map();
    for (const row of rows) {
      const [successes, trials] = clusters.get(repeats[row]) ?? [0, 0];
      const hit = measure.label ? values[row].split(":")[0] === measure.label : values[row] > 0.5;
      clusters.set(repeats[row], [successes + hit, trials + 1]);
    }
    const value = [...clusters.values()].reduce((sum, [successes]) => sum + successes, 0) / rows.length;
    const [low, high] = wilson(value, effectiveCount([...clusters.values()]));
    return { n: rows.length, value, low, high };
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
      const found = this.estimate(measure, rows);
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
    const interval = Number.isFinite(low) && low !== null ? ` (${show(low)} to ${show(high)})` : "";
    return `${name} ${show(value)}${interval}\nof ${n} trials`;
  }
}

function columnValues(values) {
  if (!values) return [];
  return Array.isArray(values) ? values : decode(values);
}

function* combinations(counts, head = []) {
  if (head.length === counts.length) yield head;
  else for (let i = 0; i < counts[head.length]; i++) yield* combinations(counts, [...head, i]);
}

export function percent(share) {
  return share === null ? "–" : `${formatNumber(Math.round(share * 1000) / 10)} %`;
}

export function formatValue(value) {
  return typeof value === "number" ? formatNumber(value) : String(value);
}

// Reads a study's results from the page's data (GRID in report_data.h) and writes them as text. It computes none.
import { decode, formatNumber, withUnit } from "./data.js";

export class StudyData {
  constructor(study) {
    this.study = study;
    this.columns = study.columns.map((column) => ({ ...column, values: columnValues(study.rows[column.name]) }));
    this.rowCount = Math.max(0, ...this.columns.map(({ values }) => values.length));
    this.axes = study.axes.map((axis, index) => ({ ...axis, index, label: withUnit(axis.name, axis.unit) }));
    this.crossed = this.axes.filter((axis) => axis.values.length > 1 && this.grid([axis]));
    this.drawn = this.axes.filter((axis) => axis.random && this.grid([axis]));
    this.measures = study.measures.map((measure, index) => this.makeMeasure(measure, index));
    this.main = study.main.map((index) => this.measures[index]);
  }

  makeMeasure({ column: columnIndex, label, is_share: isShare }, index) {
    const column = this.columns[columnIndex];
    const title = isShare
      ? `share of trials with ${label ? `${column.name} = ${label}` : column.name}`
      : `median of ${withUnit(column.name, column.unit)}`;
    const named = (name) => (label ? `${name}: ${label}` : name);
    return { index, column, label, isShare, title, key: named(column.name), short: named(column.short) };
  }

  column(name) {
    return this.columns.find((column) => column.name === name);
  }

  grid(axes) {
    const wanted = axes.map(({ index }) => index).sort((a, b) => a - b);
    return this.study.over.find((grid) => grid.axes.join() === wanted.join());
  }

  /** The whole: {n, value, low, high, mean ...} of a measure. */
  whole(measure) {
    const fields = Object.entries(this.study.over[0].measures[measure.index]);
    return { ...Object.fromEntries(fields.map(([name, [value]]) => [name, value])), n: fields[0][1][0] };
  }

  /** For all combinations of the values of some axes: [{places, values, trials, n, value, low, high, text}]. */
  points(measure, axes) {
    const grid = this.grid(axes);
    if (!grid) return [];
    const { count, value, low, high } = grid.measures[measure.index];
    return count.map((n, group) => {
      const places = axes.map((axis) => placeIn(grid, group, grid.axes.indexOf(axis.index)));
      const values = axes.map((axis, i) => (grid.bins ? grid.bins[places[i]][1] : axis.values[places[i]]));
      const point = { places, values, trials: grid.trials[group], n, value: value[group] };
      Object.assign(point, { low: low[group], high: high[group] });
      const where = axes.map((axis, i) => describePlace(axis, values[i], grid.bins?.[places[i]]));
      return { ...point, text: `${where.join(", ")}\n${describeValue(measure, point)}` };
    });
  }

  /** What the intervals are. */
  intervalName(measure, axes) {
    const clusters = axes.length < this.crossed.length || axes[0].random ? ", repeats as clusters" : "";
    return measure.isShare
      ? `95 % interval (Wilson${clusters})`
      : `95 % interval of the median (bootstrap${clusters})`;
  }
}

function placeIn({ shape }, group, axis) {
  const below = shape.slice(axis + 1).reduce((product, size) => product * size, 1);
  return Math.floor(group / below) % shape[axis];
}

/** "impulse 20 N s", of a bin "speed 3 to 3.5 m/s" */
export function describePlace({ name, unit }, value, bin) {
  const text = bin ? `${formatNumber(bin[0])} to ${formatNumber(bin[2])}` : formatValue(value);
  return `${name} ${text}${unit && unit !== "-" ? ` ${unit}` : ""}`;
}

/** Four digits, also of small numbers. */
export function formatMeasure(measure, value) {
  if (measure.isShare) return percent(value);
  return value === null ? "–" : String(Number(value.toPrecision(4))).replace(/-/g, "−");
}

/** "0.31 to 0.4", "4.3 to 12 %", "" for none. */
export function formatInterval(measure, { low, high }) {
  if (low === null || high === null) return "";
  return `${formatMeasure(measure, low).replace(" %", "")} to ${formatMeasure(measure, high)}`;
}

export function describeValue(measure, point) {
  if (point.value === null) return "no trial has it";
  const interval = formatInterval(measure, point);
  const name = measure.isShare ? "share" : "median";
  return `${name} ${formatMeasure(measure, point.value)}${interval && ` (${interval})`}\nof ${point.n} trials`;
}

function columnValues(values) {
  if (!values) return [];
  return Array.isArray(values) ? values : decode(values);
}

export function percent(share) {
  return share === null ? "–" : `${formatNumber(Math.round(share * 1000) / 10)} %`;
}

export function formatValue(value) {
  return typeof value === "number" ? formatNumber(value) : String(value);
}

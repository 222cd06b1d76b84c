// Filters of the table of trials: conditions "column op value" and plain texts, joined by "and".

const OPERATORS = {
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
  "!=": (a, b) => a !== b,
  "==": (a, b) => a === b,
  "=": (a, b) => a === b,
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
};

/** A function that tells whether a row is kept. Throws an Error that says what is wrong. */
export function parseFilter(text, columns) {
  const parts = text
    .split(/\s+and\s+|\s*&&?\s*/i)
    .map((part) => part.trim())
    .filter(Boolean);
  const tests = parts.map((part) => parseCondition(part, columns));
  return (row) => tests.every((test) => test(row));
}

function parseCondition(text, columns) {
  const match = text.match(/^(.+?)\s*(<=|>=|!=|==|=|<|>)\s*(.*)$/);
  if (!match) return containsText(text, columns);
  const [, name, operator, wanted] = match;
  const column = findColumn(name, columns);
  if (column.kind === "text") return compareText(column, operator, wanted);
  const compare = OPERATORS[operator];
  const number = parseNumber(wanted, column);
  return (row) => Number.isFinite(column.values[row]) && compare(column.values[row], number);
}

// The whole text, or its label before the ":" ("stopped: a joint flew apart" is "stopped").
function compareText({ name, values }, operator, wanted) {
  if (!["=", "==", "!="].includes(operator)) throw new Error(`${name} is a text: = or != can be asked`);
  const isEqual = operator !== "!=";
  return (row) => (values[row] === wanted || values[row].split(":")[0] === wanted) === isEqual;
}

function containsText(text, columns) {
  const wanted = text.toLowerCase();
  const texts = columns.filter(({ kind }) => kind === "text");
  return (row) => texts.some(({ values }) => values[row].toLowerCase().includes(wanted));
}

// The whole name, or its end when that is enough.
function findColumn(name, columns) {
  const exact = columns.find((column) => column.name === name);
  if (exact) return exact;
  const ends = columns.filter((column) => column.name.endsWith(`.${name}`));
  if (ends.length === 1) return ends[0];
  throw new Error(
    ends.length ? `'${name}' is ${ends.map((column) => column.name).join(" or ")}` : `there is no column '${name}'`,
  );
}

// Columns hold 32-bit numbers, so that a typed 0.1 is to be one too.
function parseNumber(text, column) {
  const word = { yes: 1, true: 1, no: 0, false: 0 }[text.toLowerCase()];
  const value = word ?? (text === "" ? NaN : Number(text.replace("−", "-")));
  if (Number.isNaN(value)) throw new Error(`'${text}' is not a number, as ${column.name} is`);
  return column.values instanceof Float32Array ? Math.fround(value) : value;
}

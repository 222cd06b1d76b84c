// The data of the page, as scenes/report/report_data.h describes them.

const TYPES = {
  f32: [Float32Array, "getFloat32"],
  i16: [Int16Array, "getInt16"],
  i32: [Int32Array, "getInt32"],
  u8: [Uint8Array, "getUint8"],
};

/** The numbers of an ARRAY: a typed array, of f32 where they are to be scaled. */
export function decode(array) {
  const [Type, read] = TYPES[array.type];
  const text = atob(array.data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  const count = array.shape.reduce((product, size) => product * size, 1);
  if (count * Type.BYTES_PER_ELEMENT > bytes.length) throw new Error("an array of the report is cut short");
  const scale = array.scale ?? 1;
  const numbers = scale === 1 ? new Type(count) : new Float32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = view[read](i * Type.BYTES_PER_ELEMENT, true) * scale;
  return numbers;
}

/** The page's data; an Error when they are missing or of another version. */
export function readData() {
  const element = document.getElementById("stagger-data");
  if (!element) throw new Error("the report has no data");
  const data = JSON.parse(element.textContent);
  if (data.format !== "stagger-report" || data.version !== 2)
    throw new Error("the report's data are of another version");
  return data;
}

/** A hit or push: a row of the trace's events, the steps of one push taken together. */
export function groupEvents(events) {
  const groups = [];
  const longestGap = 0.02; // s: between two steps of a push
  for (const event of events ?? []) {
    const last = groups[groups.length - 1];
    const same = last && ["kind", "character", "part"].every((key) => last[key] === event[key]);
    if (same && event.time - last.end <= longestGap) {
      last.end = event.time;
      last.impulse = last.impulse.map((value, i) => value + event.impulse[i]);
    } else {
      groups.push({ ...event, end: event.time, impulse: [...event.impulse] });
    }
  }
  for (const group of groups) group.size = Math.hypot(...group.impulse);
  return groups;
}

export function describeEvent(event) {
  const length = event.end > event.time ? ` over ${Math.round((event.end - event.time) * 1000)} ms` : "";
  const name = event.part ? `${event.part}: ` : "";
  return `${name}${event.kind} of ${formatNumber(event.size)} N s${length} at ${event.time.toFixed(3)} s`;
}

/** A number with about four digits, "–" for none. */
export function formatNumber(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e6 || size < 1e-4) return value.toExponential(2).replace("-", "−");
  const digits = Math.max(0, Math.min(4, 3 - Math.floor(Math.log10(size))));
  return String(Number(value.toFixed(digits))).replace("-", "−");
}

export function withUnit(label, unit) {
  return unit && unit !== "-" && unit !== "bool" ? `${label} (${unit})` : label;
}

// A chart of values over directions, seen from above: forward is up, left is left.

const SVG = "http://www.w3.org/2000/svg";

function shape(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.append(text);
  return node;
}

/** lines: [{name, color, points: [{degrees, value, low, high, text}]}]; most: the value of the outer circle. */
export function polarChart({ size, lines, most, format, label }) {
  const radius = size / 2 - 34;
  const svg = shape("svg", {
    viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`,
    width: size,
    height: size,
    class: "polar-chart",
    role: "img",
    "aria-label": label,
  });
  const at = (degrees, value) => {
    const angle = (degrees * Math.PI) / 180;
    const distance = most > 0 ? (radius * value) / most : 0;
    return [-distance * Math.sin(angle), -distance * Math.cos(angle)];
  };
  addGrid(svg, at, most, format);
  for (const line of lines) addLine(svg, at, line);
  return svg;
}

function addGrid(svg, at, most, format) {
  for (const share of [0.25, 0.5, 0.75, 1]) {
    const [, y] = at(0, share * most);
    svg.append(shape("circle", { r: -y, class: "ring" }));
    // Between two directions, where no line of the grid is.
    const [left, top] = at(22.5, share * most);
    svg.append(shape("text", { x: left, y: top, class: "ring-label" }, format(share * most)));
  }
  const names = { 0: "forward", 90: "left", 180: "backward", 270: "right" };
  for (let degrees = 0; degrees < 360; degrees += 45) {
    const [x, y] = at(degrees, most);
    svg.append(shape("line", { x2: x, y2: y, class: "ring" }));
    const [textX, textY] = at(degrees, most * 1.07);
    const anchor = Math.abs(textX) < 1 ? "middle" : textX < 0 ? "end" : "start";
    const name = names[degrees];
    const turned = degrees === 90 || degrees === 270;
    const place = turned
      ? { transform: `translate(${textX * 1.02} 0) rotate(${degrees === 90 ? -90 : 90})`, "text-anchor": "middle" }
      : { x: textX, y: textY, "text-anchor": anchor, dy: degrees === 180 ? "0.8em" : "0.2em" };
    svg.append(shape("text", { ...place, class: "direction" }, name ? `${name} ${degrees}°` : `${degrees}°`));
  }
}

function addLine(svg, at, { name, color, points }) {
  const known = points
    .filter(({ value }) => value !== null && Number.isFinite(value))
    .sort((a, b) => a.degrees - b.degrees);
  if (known.length === 0) return;
  const outline = known.map(({ degrees, value }) => at(degrees, value).join(",")).join(" ");
  svg.append(
    shape("polygon", { points: outline, fill: color, "fill-opacity": 0.06, stroke: color, "stroke-width": 1.5 }),
  );
  for (const { degrees, value, low, high, text } of known) {
    const [[x1, y1], [x2, y2]] = [at(degrees, Math.max(low ?? value, 0)), at(degrees, high ?? value)];
    svg.append(shape("line", { x1, y1, x2, y2, stroke: color, "stroke-opacity": 0.5 }));
    const [cx, cy] = at(degrees, value);
    const dot = shape("circle", { cx, cy, r: 3.5, fill: color });
    dot.append(shape("title", {}, name ? `${name}\n${text}` : text));
    svg.append(dot);
  }
}

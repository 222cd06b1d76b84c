// Roses: what happened to every side, around a character seen from above. Directions go around, 0 deg up and 90 deg to
// the left; rings go outward.

const SVG = "http://www.w3.org/2000/svg";

// Differ also for people who cannot tell red from green.
export const SHARE_COLORS = ["#9e1f2f", "#e58a62", "#f3e6cf", "#7fb3d3", "#1b5a9a"];

export function shareColor(share) {
  const place = Math.min(Math.max(share, 0), 1) * (SHARE_COLORS.length - 1);
  const low = Math.min(Math.floor(place), SHARE_COLORS.length - 2);
  return `color-mix(in srgb, ${SHARE_COLORS[low + 1]} ${100 * (place - low)}%, ${SHARE_COLORS[low]})`;
}

function shape(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/**
 * sectors: directions in deg; rings: their names, from inside. cell(ring, sector): {text, patches, onpick}, each patch
 * {color, from, to, inner, outer} within the cell, from 0 to 1 (left out: all of it); without patches it is empty.
 * named: with the names of sides and rings around it.
 */
export function rose({ size, sectors, rings, cell, label, named = true }) {
  const radius = size / 2 - (named ? 48 : 4);
  const hole = 0.2 * radius;
  const width = 360 / sectors.length;
  const at = (degrees, distance) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(-distance * Math.sin(angle)).toFixed(1)} ${(-distance * Math.cos(angle)).toFixed(1)}`;
  };
  const outline = (from, to, inside, outside) => {
    const [low, high] = [inside, outside].map((ring) => hole + ((radius - hole) * ring) / rings.length);
    const outer = `L${at(from, high)}A${high} ${high} 0 0 0 ${at(to, high)}`;
    return `M${at(from, low)}${outer}L${at(to, low)}A${low} ${low} 0 0 1 ${at(from, low)}Z`;
  };
  const addCell = (ring, sector) => {
    const { text, patches, onpick } = cell(ring, sector);
    const left = sectors[sector] + width / 2; // turning right from there
    const fills = patches.map(({ color, from = 0, to = 1, inner = 0, outer = 1 }) => {
      const d = outline(left - width * to, left - width * from, ring + inner, ring + outer);
      return shape("path", { d, style: `fill: ${color}` });
    });
    const border = shape("path", {
      d: outline(left - width, left, ring, ring + 1),
      class: patches.length ? "border" : "border none",
    });
    const group = shape("g", { class: "cell" }, shape("title", {}, text), ...fills, border);
    if (onpick) group.addEventListener("click", onpick);
    return group;
  };
  const half = radius + (named ? 24 : 4); // of the height
  const svg = shape("svg", {
    viewBox: `${-size / 2} ${-half} ${size} ${2 * half}`,
    width: size,
    height: 2 * half,
    class: "rose",
    role: "img",
    "aria-label": label,
  });
  rings.forEach((_, ring) => svg.append(...sectors.map((_, sector) => addCell(ring, sector))));
  svg.append(person(hole / 40));
  const ringAt = (ring) => at(sectors[0] - width / 2, hole + ((radius - hole) * (ring + 0.5)) / rings.length);
  if (named) svg.append(...names(radius, ringAt, rings));
  return svg;
}

// The pushed character from above: shoulders, head and nose.
function person(scale) {
  return shape(
    "g",
    { class: "person", transform: `scale(${scale})` },
    shape("ellipse", { rx: 21, ry: 8, opacity: 0.45 }),
    shape("circle", { r: 9 }),
    shape("path", { d: "M-3.5 -7L0 -14L3.5 -7Z" }),
  );
}

function names(radius, ringAt, rings) {
  const text = (x, y, anchor, words, kind = "side") =>
    shape("text", { x, y, "text-anchor": anchor, class: kind }, words);
  return [
    text(0, -radius - 7, "middle", "forward 0°"),
    text(0, radius + 16, "middle", "back 180°"),
    text(-radius - 6, 0, "end", "left"),
    text(-radius - 6, 13, "end", "90°"),
    text(radius + 6, 0, "start", "right"),
    text(radius + 6, 13, "start", "270°"),
    ...rings.map((name, ring) => {
      const [x, y] = ringAt(ring).split(" ").map(Number);
      return text(x, y + 3.5, "middle", name, "ring");
    }),
  ];
}

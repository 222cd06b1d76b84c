// Small helpers to make elements.

/** element("button", {class: "x", onclick: f}, child, "text") */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** A labelled select; choices: [value, text] pairs. */
export function select(label, choices, value, onchange) {
  const list = element("select", { onchange: () => onchange(list.value) });
  for (const [key, text] of choices)
    list.append(element("option", { value: key, selected: String(key) === String(value) }, text));
  return element("label", { class: "field" }, element("span", {}, label), list);
}

export function checkbox(label, checked, onchange, className = "") {
  const box = element("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
  return element("label", { class: `check ${className}` }, box, element("span", {}, label));
}

/** A colour of the style sheet, as it is now (light or dark). */
export function cssColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function onColorScheme(callback) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", callback);
}

/** Calls back whether the element is on screen. */
export function onVisible(node, callback) {
  new IntersectionObserver((entries) => callback(entries[entries.length - 1].isIntersecting), {
    rootMargin: "100px",
  }).observe(node);
}

/** The containers' content for readers without a script gives way to what the script made (but not on paper). */
export function takeOver(container, ...children) {
  container.hidden = false;
  container.classList.add("live");
  const content = element("div", { class: "interactive" }, ...children);
  container.append(content);
  return content;
}

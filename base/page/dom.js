// Elements of the page. What a student's code has printed becomes text, never markup.

function set(node, key, value) {
  if (value === undefined || value === null || value === false) return;
  if (typeof value === "function") node.addEventListener(key, value);
  else node.setAttribute(key, value === true ? "" : value);
}

// attributes: a function is a listener of that event. children: nodes, texts, lists; null is none.
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) set(node, key, value);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// The same for a drawing.
export function drawn(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) set(node, key, value);
  node.append(...children.flat(Infinity));
  return node;
}

// A titled part of the page.
export function panel(title, name, ...children) {
  const heading = element("h4", {}, title);
  return element("section", { class: `panel ${name}`, "aria-label": title }, heading, ...children);
}

// Makes the children of `parent` equal to `fresh`, and keeps each node that is equal already: the
// browser then lays out what has changed, and nothing else.
export function updateChildren(parent, fresh) {
  const old = [...parent.childNodes];
  fresh.forEach((node, at) => (at < old.length ? update(old[at], node) : parent.append(node)));
  for (const node of old.slice(fresh.length)) node.remove();
}

function update(node, fresh) {
  if (node.isEqualNode(fresh)) return;
  const isSameElement = node.nodeType === Node.ELEMENT_NODE && node.nodeName === fresh.nodeName;
  if (!isSameElement) return node.replaceWith(fresh);
  for (const name of node.getAttributeNames()) {
    if (!fresh.hasAttribute(name)) node.removeAttribute(name);
  }
  for (const name of fresh.getAttributeNames()) node.setAttribute(name, fresh.getAttribute(name));
  updateChildren(node, [...fresh.childNodes]);
}

export function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

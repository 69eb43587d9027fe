// A slider and a list to choose from, each with its name.

import { element } from "../../base/page/dom.js";

// Its name before it, and its value, in words, after it.
export function slider(name, attributes, textOf, choose) {
  const output = element("output", {});
  const input = element("input", { type: "range", "aria-label": name, ...attributes,
    input: () => show(input.value), change: () => choose(input.value) });
  const show = (value) => {
    input.value = value;
    output.textContent = textOf(value);
    input.setAttribute("aria-valuetext", textOf(value));
  };
  return { input, show, root: element("label", { class: "slider" },
    element("span", {}, name), input, output) };
}

// options: pairs of a value and its name.
export function choice(name, options, choose) {
  const input = element("select", { "aria-label": name, change: () => choose(input.value) },
    options.map(([value, text]) => element("option", { value }, text)));
  return { input, root: element("label", {}, `${name} `, input) };
}

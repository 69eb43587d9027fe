// What a test expected of a call, beside what came out, with the places marked that differ.

import { element, panel } from "./dom.js";
import { chips } from "./drawing.js";
import { expectationsOf, placesThatDiffer, textOf } from "./state.js";

function valueCell(value, other, label) {
  if (value === undefined) return element("td", { class: "unknown" }, "not recorded");
  if (!Array.isArray(value)) return element("td", {}, element("code", {}, textOf(value)));
  const places = Array.isArray(other) ? placesThatDiffer(value, other) : new Set();
  return element("td", {}, chips(value, label, (_, at) => (places.has(at) ? "differs" : "")));
}

function row({ what, expected, yours, isKnown, isEqual }) {
  const mark = !isKnown ? "" : isEqual ? "same" : "≠ differs";
  return element("tr", { class: isKnown && !isEqual ? "wrong" : "" },
    element("th", { scope: "row" }, what),
    expected === undefined
      ? element("td", { colspan: 2, class: "unknown" }, "checked after this call")
      : [valueCell(expected, yours, `${what}, expected`),
        valueCell(yours, expected, `${what}, yours`)],
    element("td", { class: "mark" }, mark));
}

export function expectedPanel(frame) {
  const rows = expectationsOf(frame).map(row);
  if (rows.length === 0) return null;
  const names = ["", "expected", "yours", ""].map((name) => element("th", { scope: "col" }, name));
  const table = element("table", {},
    element("thead", {}, element("tr", {}, names)), element("tbody", {}, rows));
  return panel("Expected of this call", "expected", element("div", { class: "scroll" }, table));
}

// Submissions with much in common: the table of pairs, and a pair side by side.

import { element, plural } from "./dom.js";

function columnRow(names) {
  return element("thead", {}, element("tr", {}, names.map((name) => element("th", { scope: "col" }, name))));
}

function pairRow(pair) {
  const names = [element("bdi", {}, pair.left), ", ", element("bdi", {}, pair.right)];
  const numbers = [pair.tokens, pair.longest, pair.left_share, pair.right_share];
  return element("tr", {},
    element("th", { scope: "row" }, pair.page ? element("a", { href: pair.page }, names) : names),
    element("td", {}, pair.lab),
    numbers.map((number) => element("td", { class: "score" }, String(number))));
}

function pairTable(pairs) {
  if (pairs.length === 0) return element("p", {}, "No pair has more in common than independent answers have.");
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "pairs" },
    element("table", { class: "pairs" },
      columnRow(["pair", "lab", "common tokens", "in one place", "of the first", "of the second"]),
      element("tbody", {}, pairs.map(pairRow))));
}

function proof(sentences) {
  return element("p", { class: "remark" }, sentences.join(" "));
}

export function similarView(data) {
  const notes = data.notes.length === 0 ? null : element("section", {}, element("h2", {}, "Notes"),
    element("ul", {}, data.notes.map((note) => element("li", {}, note))));
  return [
    element("p", { class: "subtitle" },
      `${plural(data.num_submissions, "submission")}, ${plural(data.pairs.length, "pair")}`),
    proof(data.no_proof), pairTable(data.pairs), notes,
  ].filter((part) => part !== null);
}

// Shows the same place on the other side.
function showOther(event) {
  const mark = event.currentTarget;
  const own = mark.closest(".side");
  const other = [...document.querySelectorAll(".side")].find((side) => side !== own);
  const target = other.querySelector(`[data-place="${mark.dataset.place}"]`);
  if (target === null) return;
  const source = target.closest(".source");
  source.scrollTop += target.getBoundingClientRect().top - source.getBoundingClientRect().top - 80;
  target.focus({ preventScroll: true });
}

function linePart({ text, place }, isFirst) {
  if (place === 0) return text;
  const number = isFirst ? element("button", { class: "place", "data-place": place, click: showOther,
    "aria-label": `common place ${place}: show it on the other side` }, String(place)) : null;
  return [number, element("mark", {}, text)];
}

function lineRow(parts, line, seen) {
  const content = parts.map((part) => {
    const isFirst = part.place > 0 && !seen.has(part.place);
    seen.add(part.place);
    return linePart(part, isFirst);
  });
  return element("tr", {}, element("th", { scope: "row" }, String(line)),
    element("td", { class: "code" }, content.length > 0 ? content : " "));
}

function sideFile({ path, lines }) {
  const seen = new Set();
  return [element("p", { class: "file" }, path),
    element("div", { class: "source scroll", tabindex: 0, role: "region", "aria-label": path },
      element("table", {}, element("tbody", {}, lines.map((parts, i) => lineRow(parts, i + 1, seen)))))];
}

function sideView({ name, files }, share) {
  return element("section", { class: "side" }, element("h2", {}, element("bdi", {}, name)),
    element("p", { class: "note" }, `${share} of its own fingerprints`), files.map(sideFile));
}

export function pairView({ facts, sides, no_proof: noProof }) {
  const shares = [facts.left_share, facts.right_share];
  return [
    element("p", { class: "subtitle" },
      `${plural(facts.tokens, "common token")}, ${facts.longest} of them in one place. ` +
      "A number goes to the same place on the other side."),
    proof(noProof),
    element("div", { class: "sides" }, sides.map((side, i) => sideView(side, shares[i]))),
  ];
}

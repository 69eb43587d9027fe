// Submissions with much in common: the table of pairs, and a pair side by side.

import { element, plural } from "../../../base/page/dom.js";
import "./course.css";

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

function moreText({ pairs, num_pairs: numPairs }) {
  if (numPairs === pairs.length) return null;
  return element("p", { class: "note" }, `${plural(numPairs - pairs.length, "more pair")} in pairs.csv`);
}

function proof(sentences) {
  return element("p", { class: "remark" }, sentences.join(" "));
}

export function similarView(data) {
  const notes = data.notes.length === 0 ? null : element("section", {}, element("h2", {}, "Notes"),
    element("ul", {}, data.notes.map((note) => element("li", {}, note))));
  return [
    element("p", { class: "subtitle" },
      `${plural(data.num_submissions, "submission")}, ${plural(data.num_pairs, "pair")}`),
    proof(data.no_proof), pairTable(data.pairs), moreText(data), notes,
  ].filter((part) => part !== null);
}

// Scrolls both texts to a place.
function showPlace(place) {
  for (const button of document.querySelectorAll(`.source [data-place="${place}"]`)) {
    const source = button.closest(".source");
    const offset = button.getBoundingClientRect().top - source.getBoundingClientRect().top;
    source.scrollTop += offset - source.clientHeight / 4;
  }
}

function bringIntoView(place) {
  for (const button of document.querySelectorAll(`.source [data-place="${place}"]`)) {
    button.closest(".source").scrollIntoView({ block: "nearest" });
  }
  showPlace(place);
}

function placeButton(place) {
  return element("button", { class: "place", "data-place": place, click: () => bringIntoView(place),
    "aria-label": `show common place ${place} on both sides` }, String(place));
}

function placeList(sizes) {
  return element("p", { class: "places" }, "common places: ",
    sizes.map((size, i) => [placeButton(i + 1), ` ${plural(size, "token")} `]));
}

function linePart({ text, place }, isFirst) {
  if (place === 0) return text;
  const number = isFirst ? placeButton(place) : null;
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

export function pairView({ facts, places, sides, no_proof: noProof }) {
  requestAnimationFrame(() => showPlace(1));
  const shares = [facts.left_share, facts.right_share];
  return [
    element("p", { class: "subtitle" },
      `${plural(facts.tokens, "common token")}, ${facts.longest} of them in one place. ` +
      "A number shows its place on both sides."),
    proof(noProof),
    placeList(places),
    element("div", { class: "sides" }, sides.map((side, i) => sideView(side, shares[i]))),
  ];
}

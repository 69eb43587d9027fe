// A class: a row for each submission, what is frequent, and what there is to look at.

import { drawn, element, plural } from "../../../base/page/dom.js";
import "./course.css";

// label: the head of its column, where a phone has no room for one.
function cell(text, name = "score", label = undefined) {
  return element("td", { class: name, "data-label": text === "" ? undefined : label }, text);
}

function labCell(lab, id) {
  if (lab === null) return cell("");
  const isLost = lab.state === "does not compile";
  const name = lab.score === lab.max_score ? "score full" : "score";
  return element("td", { class: name, title: lab.state, "data-label": id },
    String(lab.score), isLost ? element("p", { class: "note" }, lab.state) : null);
}

function nameCell({ name, page }) {
  return element("th", { scope: "row" }, page ? element("a", { href: page }, name) : name);
}

function submissionRow(row, { labs, has_people: hasPeople }) {
  const person = hasPeople ? [cell(row.person, "state"), cell(row.group, "state")] : [];
  const flags = row.flags.length > 0
    ? element("details", {}, element("summary", {}, plural(row.flags.length, "flag")),
      row.flags.map((flag) => element("p", { class: "note" }, flag)))
    : null;
  return element("tr", {}, nameCell(row), person,
    cell(row.score === null ? "–" : String(row.score), "score", "core"),
    cell(row.extra ? `+${row.extra}` : "", "score extra", "extra"),
    row.labs.map((lab, at) => labCell(lab, labs[at].id)),
    element("td", { class: "remarks" }, row.remarks.map((remark) => element("p", { class: "note" }, remark)), flags));
}

function submissions(data) {
  const { labs, rows, has_people: hasPeople } = data;
  const column = (name, kind = "") => element("th", { scope: "col", class: kind }, name);
  const head = [column("submission"), hasPeople ? [column("name"), column("group")] : [],
    ["core", "extra", ...labs.map((lab) => lab.id)].map((name) => column(name, "score")),
    column("to look at")];
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "submissions" },
    element("table", { class: "submissions" }, element("thead", {}, element("tr", {}, head)),
      element("tbody", {}, rows.map((row) => submissionRow(row, data)))));
}

const kMaxBins = 9; // the last one: all points
const kBin = { width: 10, height: 24 };

// How many submissions have how many points: a bar for each number, or for some that are neighbors.
function binsOf(counts) {
  const most = counts.length - 1;
  const numBins = Math.min(counts.length, kMaxBins);
  const bins = Array.from({ length: numBins }, () => ({ count: 0, points: [] }));
  counts.forEach((count, points) => {
    const bin = points === most ? numBins - 1 : Math.floor((points * (numBins - 1)) / most);
    bins[bin].count += count;
    bins[bin].points.push(points);
  });
  return bins;
}

function binText({ count, points }) {
  const range = points.length > 1 ? `${points[0]} to ${points.at(-1)}` : `${points[0]}`;
  return `${range} points: ${count}`;
}

function histogram(counts) {
  if (counts.length < 2) return "";
  const bins = binsOf(counts);
  const most = Math.max(...bins.map(({ count }) => count));
  const bars = bins.map((bin, at) => {
    const height = Math.max(bin.count > 0 ? 2 : 0, (bin.count / most) * kBin.height);
    return drawn("rect", { x: at * kBin.width + 1, y: kBin.height - height, height,
      width: kBin.width - 2 }, drawn("title", {}, binText(bin)));
  });
  const label = bins.filter(({ count }) => count > 0).map(binText).join("; ");
  const size = { width: bins.length * kBin.width, height: kBin.height + 1 };
  return drawn("svg", { ...size, role: "img", "aria-label": label, class: "histogram" }, bars,
    drawn("line", { x1: 0, x2: size.width, y1: kBin.height + 0.5, y2: kBin.height + 0.5 }));
}

// The step at which the class loses the most points.
function mostLost(steps) {
  const lost = ({ max_points: max, mean, num_graded: graded }) => Math.round((max - mean) * graded);
  const worst = [...steps].sort((a, b) => lost(b) - lost(a))[0];
  if (!worst || lost(worst) === 0) return null;
  return element("p", { class: "most-lost" }, `Most points are lost at ${worst.id} ${worst.title}: ` +
    `${lost(worst)} of ${worst.max_points * worst.num_graded}.`);
}

function tallyRow(part) {
  const { id, title, num_full: full, num_graded: graded, mean, max_points: max } = part;
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.setProperty("inline-size", `${graded > 0 ? (100 * full) / graded : 0}%`);
  return element("tr", {}, element("th", { scope: "row" }, `${id} ${title}`),
    element("td", { class: "score" }, bar, `${full} of ${graded}`),
    cell(`${mean.toFixed(1)} of ${max}`),
    element("td", {}, histogram(part.counts)),
    part.num_causes === null ? null : cell(String(part.num_causes)));
}

function tally(title, parts) {
  const haveCauses = parts.some((part) => part.num_causes !== null);
  const head = [title, "all core points", "mean points", "no points to all",
    ...(haveCauses ? ["cause of a failure"] : [])]
    .map((name) => element("th", { scope: "col" }, name));
  return element("table", { class: "tally" }, element("thead", {}, element("tr", {}, head)),
    element("tbody", {}, parts.map(tallyRow)));
}

function list(title, items) {
  if (items.length === 0) return null;
  return element("section", {}, element("h2", {}, title),
    element("ul", {}, items.map((item) => element("li", {}, item))));
}

function diagnosisText({ text, count, names }) {
  return [`${count} × ${text}`, element("p", { class: "note" }, names.join(", "))];
}

function sectionText({ title, items }) {
  return [title, items.map((item) => element("p", { class: "note" }, item))];
}

export function classView(data) {
  return [
    element("p", { class: "subtitle" }, plural(data.num_rows, "submission")),
    data.rows.length > 0 ? submissions(data) : null,
    element("section", {}, element("h2", {}, "How far"), tally("lab", data.labs),
      mostLost(data.steps), tally("step", data.steps)),
    list("The most frequent diagnoses", data.diagnoses.map(diagnosisText)),
    list("To look at", data.to_look_at.map(sectionText)),
  ].filter((part) => part !== null);
}

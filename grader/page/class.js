// A class: a row for each submission, what is frequent, and what there is to look at.

import { element, plural } from "./dom.js";

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

function tallyRow({ id, title, num_full: full, num_graded: graded, mean, max_points: max, num_causes: causes }) {
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.setProperty("inline-size", `${graded > 0 ? (100 * full) / graded : 0}%`);
  return element("tr", {}, element("th", { scope: "row" }, `${id} ${title}`),
    element("td", { class: "score" }, bar, `${full} of ${graded}`), cell(`${mean.toFixed(1)} of ${max}`),
    causes === null ? null : cell(String(causes)));
}

function tally(title, parts) {
  const haveCauses = parts.some((part) => part.num_causes !== null);
  const head = [title, "all core points", "mean points", ...(haveCauses ? ["cause of a failure"] : [])]
    .map((name) => element("th", { scope: "col" }, name));
  return element("table", { class: "tally" }, element("thead", {}, element("tr", {}, head)),
    element("tbody", {}, parts.map(tallyRow)));
}

function list(title, items) {
  if (items.length === 0) return null;
  return element("section", {}, element("h2", {}, title),
    element("ul", {}, items.map((item) => element("li", {}, item))));
}

function diagnosisText({ text, names }) {
  return [`${names.length} × ${text}`, element("p", { class: "note" }, names.join(", "))];
}

function sectionText({ title, items }) {
  return [title, items.map((item) => element("p", { class: "note" }, item))];
}

export function classView(data) {
  return [
    element("p", { class: "subtitle" }, plural(data.rows.length, "submission")),
    submissions(data),
    element("section", {}, element("h2", {}, "How far"), tally("lab", data.labs), tally("step", data.steps)),
    list("The most frequent diagnoses", data.diagnoses.map(diagnosisText)),
    list("To look at", data.to_look_at.map(sectionText)),
  ].filter((part) => part !== null);
}

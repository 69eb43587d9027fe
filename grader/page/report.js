// The report of a grading: the scoreboard, then each lab with its steps and its failures.

import { element, plural } from "../../base/page/dom.js";
import { failureView } from "./failure.js";
import { sourceView } from "../../base/page/source.js";
import "./report.css";

function scoreBar(score, maxScore) {
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span"));
  const share = maxScore > 0 ? score / maxScore : 0;
  bar.firstChild.style.setProperty("inline-size", `${100 * share}%`);
  return bar;
}

// of: a lab, or the whole report.
function scoreRow(title, state, of) {
  return element("tr", {}, element("th", { scope: "row" }, title),
    element("td", { class: "state" }, state),
    element("td", { class: "score" }, scoreBar(of.score, of.max_score), coreText(of)),
    element("td", { class: "score extra" }, extraText(of)));
}

function coreText({ score, max_score }) {
  return `${score}/${max_score}`;
}

function extraText({ extra, max_extra }) {
  return `+${extra}/${max_extra}`;
}

function labRow(lab) {
  return scoreRow(element("a", { href: `#lab${lab.id}` }, titleOf(lab)), lab.state, lab);
}

function titleOf({ id, title }) {
  return `${id} ${title}`;
}

function scoreboard(report) {
  const names = ["lab", "", "core points", "extra"];
  const head = names.map((name) => element("th", { scope: "col" }, name));
  return element("table", { class: "scoreboard" },
    element("thead", {}, element("tr", {}, head)),
    element("tbody", {}, report.labs.map(labRow)),
    element("tfoot", {}, scoreRow("total", "", report)));
}

function stepRow(step) {
  return element("tr", { class: step.is_wrong ? "wrong" : "" },
    element("th", { scope: "row" }, step.heading),
    element("td", { class: "state" }, step.state),
    element("td", { class: "score" }, step.max_score > 0 ? coreText(step) : ""),
    element("td", { class: "score extra" }, step.max_extra > 0 ? extraText(step) : ""));
}

function remarks(lab) {
  const lines = [lab.message, ...lab.warnings, ...lab.notes,
    ...lab.flags.map((flag) => `for the instructor: ${flag}`)].filter(Boolean);
  return lines.map((line) => element("pre", { class: "remark" }, line));
}

// A file of a student's kernels; it is long, so it is closed unless something was found in it.
function kernelView(listing) {
  const count = listing.findings.length;
  return element("details", { class: "kernel", open: count > 0 },
    element("summary", {}, listing.file, element("span", { class: "mark" },
      count > 0 ? plural(count, "finding") : "")),
    listing.traffic.length > 0 ? element("p", { class: "legend" }, kHeatLegend) : null,
    sourceView(listing));
}

const kHeatLegend = "What each line moves: sectors of device memory, 32 bytes each, and " +
  "wavefronts of shared memory, summed over the tests that count them. ×: how many times the " +
  "least that could hold the bytes, where it is more.";

function labView(lab, listings) {
  const steps = lab.steps.length === 0 ? null
    : element("table", { class: "step-scores" }, element("tbody", {}, lab.steps.map(stepRow)));
  return element("section", { class: "lab", id: `lab${lab.id}` },
    element("h2", {}, titleOf(lab)),
    element("p", { class: "lab-state" },
      `${lab.state}, ${coreText(lab)} core, ${extraText(lab)} extra`),
    steps, remarks(lab),
    lab.kernels.map(kernelView),
    lab.failures.map((failure, at) => failureView(failure, listings, at === 0)),
    lab.next ? element("pre", { class: "next" }, lab.next) : null);
}

export function reportView(report) {
  return [
    element("p", { class: "subtitle" }, `${report.tree}, digest ` +
      `${report.digest.slice(0, 12)}, core stubs left: ${report.stubs_left}`),
    scoreboard(report), report.labs.map((lab) => labView(lab, report.listings)),
  ].flat();
}

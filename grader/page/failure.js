// One failing test: what it checks, what went wrong, what it did, and the two functions.

import { element, panel } from "../../base/page/dom.js";
import { logOfStory } from "./log.js";
import { Player } from "./player.js";
import { sourceView } from "../../base/page/source.js";

function facts(failure) {
  const rows = [["This test checks", failure.spec], ["What went wrong", failure.wrong],
    ["Advice", failure.advice], ["Cause", failure.cause],
    ["Looks like", failure.diagnosis.replace("looks like: ", "")],
    ["Read", failure.read], ["Stuck?", failure.hint], ["Run it again", failure.story?.replay]];
  const known = rows.filter(([, text]) => text);
  return element("dl", { class: "facts" },
    known.map(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

const kLeftOut = "The calls of this test are left out, to keep this page small. " +
  "./lab grade --json FILE has them.";

function story({ story: data, story_left_out: isLeftOut, wrong }) {
  if (isLeftOut) {
    return element("p", { class: "legend" }, kLeftOut);
  }
  if (!data) return null;
  const log = logOfStory(data);
  const found = data.found ? element("p", { class: "legend" }, data.found) : null;
  return panel("What the test did", "story", found,
    new Player(log, { begin: log.length - 1, ending: wrong.split("\n")[0] }).root);
}

function source(title, listing, allFindings = []) {
  if (!listing) return null;
  const findings = allFindings.filter(({ file }) => file === listing.file);
  const place = `${listing.file}:${listing.mark || listing.first}`;
  return panel(title, "listing", element("p", { class: "file" }, place),
    sourceView({ ...listing, findings }));
}

// What the student's code has printed, as text.
function printed(text) {
  return text ? panel("Your code printed", "printed", element("pre", {}, text)) : null;
}

// listings: by their keys. Filled when it is opened for the first time: a report may have hundreds.
export function failureView(failure, listings, isOpen) {
  const body = element("div", { class: "body" });
  const fill = () => {
    if (body.childElementCount > 0) return;
    const sources = element("div", { class: "sources" },
      source("Your function", listings[failure.function], failure.findings),
      source("The test", listings[failure.test]));
    const parts = [facts(failure), story(failure), printed(failure.printed), sources];
    body.append(...parts.filter(Boolean));
  };
  const details = element("details", { class: "failure", toggle: () => details.open && fill() },
    element("summary", {},
      element("span", { class: "status" }, failure.status.replaceAll("_", " ")),
      element("span", { class: "name" }, failure.name),
      element("span", { class: "step-name" }, failure.step)),
    body);
  if (isOpen) fill();
  details.open = isOpen;
  return details;
}

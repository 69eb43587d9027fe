// Plays a log: a list of calls, and the state after the one that is chosen.

import { element, panel, plural, updateChildren } from "../../base/page/dom.js";
import { chips, statePanels } from "./drawing.js";
import { slotsPanel } from "./slots.js";
import { expectationsOf, placesThatDiffer, textOf } from "./state.js";
import { callText, StepList } from "./step_list.js";
import "./player.css";

const kPlayMilliseconds = 700;
const kPage = 10;  // calls that PageUp and PageDown skip

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

// What a test expected of a call, beside what came out, with the places marked that differ.
function expectedPanel(frame) {
  const rows = expectationsOf(frame).map(row);
  if (rows.length === 0) return null;
  const names = ["", "expected", "yours", ""].map((name) => element("th", { scope: "col" }, name));
  const table = element("table", {},
    element("thead", {}, element("tr", {}, names)), element("tbody", {}, rows));
  return panel("Expected of this call", "expected", element("div", { class: "scroll" }, table));
}

export class Player {
  // ending: what is shown with the last call, as why the test failed there.
  constructor(log, { begin = 0, ending = "" } = {}) {
    this.log = log;
    this.ending = ending;
    this.index = begin;
    this.list = new StepList(log, (index) => this.go(index));
    this.slider = element("input", {
      type: "range", min: 0, max: log.length - 1, "aria-label": "Call",
      input: () => this.go(Number(this.slider.value)),
    });
    this.position = element("output", { class: "position" });
    this.call = element("div", { class: "call", "aria-live": "polite" });
    this.stage = element("div", { class: "panels" });
    this.root = this.makeRoot();
    this.go(begin);
  }

  makeRoot() {
    const button = (text, act) => element("button", { type: "button", click: act }, text);
    this.back = button("Back", () => this.go(this.index - 1));
    this.next = button("Next", () => this.go(this.index + 1));
    this.play = button("Play", () => this.togglePlay());
    const controls = element("div", { class: "controls", role: "group", "aria-label": "Steps" },
      this.back, this.next, this.play, this.slider, this.position);
    return element("div", { class: "player", keydown: (event) => this.onKey(event) },
      controls,
      element("div", { class: "columns" }, this.list.root,
        element("div", { class: "stage" }, this.call, this.stage)));
  }

  // To the frame `index`, or to the nearest there is.
  go(index) {
    this.index = Math.max(0, Math.min(index, this.log.length - 1));
    this.list.show(this.index);
    this.draw();
  }

  onKey(event) {
    const isSlider = event.target === this.slider;
    const moves = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, PageUp: -kPage,
      PageDown: kPage, Home: -this.index, End: this.log.length };
    const move = moves[event.key];
    if (move === undefined || isSlider || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.go(this.index + move);
  }

  togglePlay() {
    if (this.timer) return this.stop();
    if (this.index === this.log.length - 1) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.index + 1);
      if (this.index === this.log.length - 1) this.stop();
    }, kPlayMilliseconds);
    this.play.textContent = "Pause";
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.play.textContent = "Play";
  }

  draw() {
    const frame = this.log.frameAt(this.index);
    const isLast = this.index === this.log.length - 1;
    const earlier = this.log.stateBefore(this.index);
    const { state, isOlder } = this.log.stateAt(this.index);
    this.call.replaceChildren(...callLines(frame, this.index, isLast ? this.ending : ""));
    const drawn = statePanels(state, isOlder ? state : earlier, this.log.layout).filter(Boolean);
    if (isOlder && drawn.length > 0) drawn.unshift(element("p", { class: "older" }, kOlder));
    const panels = [expectedPanel(frame), slotsPanel(frame, this.log.layout), ...drawn];
    updateChildren(this.stage, panels.filter(Boolean));
    this.drawControls(isLast);
  }

  drawControls(isLast) {
    this.slider.value = this.index;
    this.slider.setAttribute("aria-valuetext", callText(this.log.frameAt(this.index)));
    const total = this.log.length - 1;
    const [index, last] = [this.index, total].map((number) => number.toLocaleString("en"));
    this.position.textContent = `${index} of ${last}`;
    // Why not disabled: then the button that has the focus would take no more keys.
    this.back.setAttribute("aria-disabled", String(this.index === 0));
    this.next.setAttribute("aria-disabled", String(isLast));
  }
}

const kOlder = "No state is recorded after this call. This is the state before it:";

// The call, what it gave, and what went wrong with it.
function callLines(frame, index, ending) {
  const number = index === 0 ? "start" : `${frame.step}.`;
  const lines = [element("p", { class: "sentence" },
    element("span", { class: "number" }, number), callText(frame))];
  if (frame.why) lines.push(element("p", { class: "why" }, frame.why));
  if (frame.exception) lines.push(element("p", {}, exceptionText(frame.exception)));
  if (index > 0 && frame.result !== null && frame.result !== undefined) {
    lines.push(element("p", {}, "gives ", element("code", {}, textOf(frame.result))));
  }
  if (frame.cut > 0) lines.push(element("p", { class: "older" }, cutText(frame.cut)));
  if (ending) lines.push(element("p", { class: "ending" }, ending));
  return lines;
}

function cutText(count) {
  return `${plural(count, "number")} of this call ${count === 1 ? "is" : "are"} not in the log.`;
}

function exceptionText(exception) {
  return exception === "ContractViolation" ? "is refused" : `throws an exception: ${exception}`;
}

// The calls of a log as a list. Only the rows in sight are in the page, so that a long log scrolls
// as a short one.

import { element } from "../../base/page/dom.js";
import { isWrong } from "./state.js";

const kRowHeight = 28;  // as in player.css
const kMaxHeight = 33_000_000 - kRowHeight;  // an element can be so high in every browser
const kMargin = 8;  // rows that are drawn above and below

let numLists = 0;

export class StepList {
  // choose: called with the index of a row that is clicked.
  constructor(log, choose) {
    this.log = log;
    this.id = `steps${++numLists}`;
    this.current = 0;
    this.rows = new Map();  // by index, those in the page
    this.rowHeight = Math.min(kRowHeight, kMaxHeight / log.length);
    this.spacer = element("div", { class: "spacer", role: "presentation" });
    this.spacer.style.height = `${log.length * this.rowHeight}px`;
    this.root = element("div", {
      class: "steps", role: "listbox", tabindex: 0, "aria-label": "Calls",
      scroll: () => this.draw(),
      click: (event) => {
        const row = event.target.closest("[data-index]");
        if (row) choose(Number(row.dataset.index));
      },
    }, this.spacer);
    new ResizeObserver(() => this.show(this.current)).observe(this.root);
  }

  // Makes `index` the current row, and brings it into sight.
  show(index) {
    this.current = index;
    const top = index * this.rowHeight;
    const { scrollTop, clientHeight } = this.root;
    if (top < scrollTop) this.root.scrollTop = top;
    const lowest = top + this.rowHeight - clientHeight;
    if (lowest > scrollTop) this.root.scrollTop = lowest;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.root.scrollTop / this.rowHeight) - kMargin);
    const numShown = Math.ceil(this.root.clientHeight / this.rowHeight) + 2 * kMargin;
    const end = Math.min(this.log.length, first + numShown);
    for (const [index, row] of this.rows) {
      if (index >= first && index < end) continue;
      row.remove();
      this.rows.delete(index);
    }
    for (let index = end - 1; index >= first; --index) {
      const next = this.rows.get(index + 1) ?? null;
      if (!this.rows.has(index)) this.spacer.insertBefore(this.addRow(index), next);
    }
    for (const [index, row] of this.rows) this.mark(row, index === this.current);
    this.root.setAttribute("aria-activedescendant", `${this.id}-${this.current}`);
  }

  mark(row, isCurrent) {
    row.classList.toggle("current", isCurrent);
    row.setAttribute("aria-selected", String(isCurrent));
  }

  addRow(index) {
    const frame = this.log.frameAt(index);
    const mark = frame.exception ? "refused" : isWrong(frame) ? "≠" : "";
    const row = element("div", {
      class: "step", role: "option", id: `${this.id}-${index}`, "data-index": index,
      "aria-posinset": index + 1, "aria-setsize": this.log.length,
    },
      element("span", { class: "number" }, index === 0 ? "start" : `${frame.step}`),
      element("span", { class: "sentence" }, callText(frame)),
      element("span", { class: "mark" }, mark));
    row.style.top = `${index * this.rowHeight}px`;
    this.rows.set(index, row);
    return row;
  }
}

export function callText(frame) {
  return frame.sentence || frame.call || "the object at the start";
}

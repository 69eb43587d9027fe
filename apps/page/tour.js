// A minute with a guide: six captions, each over a pool that is stopped where it shows what is said.

import { element } from "../../base/page/dom.js";
import { isOver } from "./driver.js";
import { eightUsers, tooManyUsers } from "./load.js";

const kMostSteps = 400;  // a step without what a caption waits for is not the last one
const kSeed = 1;
const kPool = { blocks: 64, block_size: 16 };

const kStepMilliseconds = 120;  // so that one sees each of them

async function begin(driver) {
  return await driver.replacePool(kPool) && driver.setPace({ paused: true });
}

// begin: what a caption needs first. stop: the step that the pool is stopped after.
const kCaptions = [
  { begin,
    text: "Each cell is a block: memory for a model's keys and values of 16 tokens. All 64 are " +
      "free, and wait in the free queue below. Its head is given away next." },
  { begin: (driver) => driver.ask(eightUsers(kSeed)), stop: () => true,
    text: "Eight users came with one system prompt. A's prompt is computed into its blocks. The " +
      "others begin with the same words, so they share these blocks (×8), and compute the rest." },
  { stop: ({ changes }) => changes.allocated.length > 0,
    text: "Each step computes one token for each user. When the last block of one is full, it " +
      "takes another. Nobody reserves memory for words that may never come." },
  { stop: isOver,
    text: "All have ended, and their blocks are free. A cell with ◆ keeps its color, because the " +
      "cache still finds what is in it. The palest goes first when somebody needs a block." },
  { begin: (driver) => driver.ask(tooManyUsers(driver.event.pool, kSeed)),
    stop: ({ preempted }) => preempted.length > 0,
    text: "Now 24 users need twice this memory, and no block is free. So the one who came last " +
      "gives its blocks back, waits, and starts over when others have ended." },
  { begin: (driver) => driver.setPace({ paused: false }),
    text: "A free queue, a block pool, a prefix cache, a scheduler: each is a lab of this course, " +
      "and this page runs on what you write." },
];

export class Tour {
  // course: the address where one begins to write; undefined if there is none.
  constructor(driver, course) {
    Object.assign(this, { driver, course, at: -1 });
    this.text = element("p", { class: "caption", "aria-live": "polite" });
    this.next = element("button", { type: "button", class: "onward", click: () => this.goOn() });
    this.root = element("div", { class: "tour", hidden: true }, this.text, this.next,
      element("button", { type: "button", class: "skip", click: () => this.end() }, "Skip"));
  }

  async start() {
    this.at = -1;
    await this.goOn();
    this.next.focus();
  }

  async goOn() {
    if (this.isBusy) return;
    if (this.at + 1 === kCaptions.length) return this.end();
    this.at += 1;
    this.setBusy(true);
    const isReached = await this.reach(kCaptions[this.at], this.at);
    this.setBusy(false);
    if (isReached) this.draw();
    else this.end();
  }

  // False: the engine has refused a call, and has said why, or the reader has skipped the rest.
  async reach({ begin, stop }, at) {
    if (begin && !(await begin(this.driver))) return false;
    for (let i = 0; stop && i < kMostSteps; ++i) {
      if (this.at !== at || !(await this.driver.takeStep())) return false;
      if (stop(this.driver.event)) break;
      await new Promise((resolve) => setTimeout(resolve, kStepMilliseconds));
    }
    return this.at === at;
  }

  setBusy(isBusy) {
    this.isBusy = isBusy;
    this.next.setAttribute("aria-disabled", isBusy);
  }

  draw() {
    const isLast = this.at + 1 === kCaptions.length;
    const number = element("b", {}, `${this.at + 1} of ${kCaptions.length}`);
    this.text.replaceChildren(number, ` ${kCaptions[this.at].text} `,
      isLast && this.course ? element("a", { href: this.course }, "Write this yourself.") : "");
    this.next.textContent = isLast ? "Done" : "Next";
    this.root.hidden = false;
  }

  // Also when the reader does something else.
  end() {
    if (this.at < 0) return true;
    this.at = -1;
    this.root.hidden = true;
    return this.driver.setPace({ paused: false });
  }
}

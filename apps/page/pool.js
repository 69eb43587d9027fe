// The pool of an engine that runs: its blocks, its queues and what its requests say, step by step.

import { answersPanel } from "./answers.js";
import { Changes, markOfRequest } from "./changes.js";
import { element, plural, updateChildren } from "../../base/page/dom.js";
import { blocksPanel, queuePanel, queuesPanel } from "../../grader/page/drawing.js";
import { Driver } from "./driver.js";
import { Headline } from "./headline.js";
import { keyOfBlocks, keyOfRequests } from "./keys.js";
import { eightUsers, tooManyUsers } from "./load.js";
import { stepLines } from "./step_text.js";
import { Tour } from "./tour.js";
import { choice, slider } from "./widgets.js";
import "./pool.css";

const kSpeeds = [1, 2, 4, 8, 16, 32, 64, 0];  // steps a second; 0: as many as it can
const kFirstSpeed = 3;  // a place in it
const kPoolSizes = { least: 8, most: 256, step: 8 };

const kBlockSizes = [1, 4, 8, 16, 32];
const kRules = { vllm_0_22: "of vLLM 0.22", vllm_0_33: "of vLLM 0.33" };

function speedText(speed) {
  return speed === 0 ? "full speed" : `${plural(speed, "step")}/s`;
}

function namesOfEnded({ requests }) {
  return new Set(requests.filter(({ state }) => state === "finished").map(({ name }) => name));
}

class PoolView {
  constructor({ subtitle, course }, Engine) {
    this.changes = new Changes();
    this.headline = new Headline();
    this.engine = new Engine({
      onEvent: (event) => this.take(event),
      onProblem: (text) => this.say(text),
      askForKey: () => this.askForKey(),
    });
    this.driver = new Driver(this.engine);
    this.tour = new Tour(this.driver, course);
    this.notice = element("div", { class: "notice", role: "status" });
    this.call = element("div", { class: "call" });
    this.blocks = element("div", { class: "panels" });
    this.requests = element("div", { class: "panels" });
    this.past = new Set();  // names of requests that had ended when newer ones came
    this.root = element("div", { class: "player" }, element("p", { class: "subtitle" }, subtitle),
      this.makeButtons(), this.makeControls(), this.tour.root, this.notice, this.call,
      element("div", { class: "sides" }, this.blocks, this.requests));
    this.engine.watch();
  }

  // The newest one.
  get event() {
    return this.driver.event;
  }

  makeButtons() {
    const button = (text, callOf) => element("button", {
      type: "button", click: () => this.ask(callOf()) }, text);
    this.prompt = element("input", { type: "text", "aria-label": "Your own prompt",
      placeholder: "Your own prompt" });
    return element("div", { class: "controls loads" },
      element("button", { type: "button", class: "guide", click: () => this.tour.start() },
        "A guided minute"),
      button("Eight users with one system prompt", () => eightUsers(this.seedOf())),
      button("Too many users for this pool", () => tooManyUsers(this.event.pool, this.seedOf())),
      element("form", { submit: (event) => this.submit(event) }, this.prompt,
        element("button", {}, "Ask")));
  }

  makeControls() {
    this.pause = element("button", { type: "button", class: "pause",
      click: () => this.driver.setPace({ paused: !this.event?.pace.paused }) }, "Pause");
    const step = element("button", { type: "button", class: "step-once",
      click: () => this.driver.takeStep() }, "Step");
    this.speed = slider("Speed", { min: 0, max: kSpeeds.length - 1, class: "speed" },
      (value) => speedText(kSpeeds[value]), () => this.setSpeed());
    return element("div", { class: "controls" }, this.pause, step, this.speed.root,
      this.makeSettings());
  }

  // What a new engine and its texts depend on.
  makeSettings() {
    const { least, most, step } = kPoolSizes;
    this.size = slider("Pool", { min: least, max: most, step, class: "size" },
      (value) => plural(Number(value), "block"),
      (value) => this.replacePool({ blocks: Number(value) }));
    this.blockSize = choice("Block size", kBlockSizes.map((size) => [size, plural(size, "token")]),
      (value) => this.replacePool({ block_size: Number(value) }));
    this.rules = choice("Rules", Object.entries(kRules),
      (value) => this.replacePool({ rules: value }));
    this.seed = element("input", { type: "number", min: 0, max: 9999, value: 1, "aria-label": "Seed" });
    this.settings = element("summary", {}, "Pool");
    return element("details", { class: "settings" }, this.settings,
      element("div", { class: "choices" }, this.size.root, this.blockSize.root, this.rules.root,
        element("label", {}, "Seed ", this.seed)));
  }

  seedOf() {
    return Math.max(0, Math.trunc(Number(this.seed.value) || 0));
  }

  say(text) {
    this.notice.textContent = text;
  }

  askForKey() {
    const key = element("input", { type: "password", "aria-label": "Key of the server" });
    return new Promise((resolve) => {
      this.notice.replaceChildren(element("form", { submit: (event) => {
        event.preventDefault();
        this.say("");
        resolve(key.value);
      } }, "This server asks for its key. ", key, element("button", {}, "Use it")));
    });
  }

  submit(event) {
    event.preventDefault();
    if (this.prompt.value) {
      this.ask({ prompt: this.prompt.value, max_tokens: 60, seed: this.seedOf() });
    }
  }

  // At a speed that one can follow, unless one is chosen already.
  async ask(call) {
    this.say("");
    await this.tour.end();
    if (!this.hasSpeed) await this.setSpeed();
    await this.driver.ask(call);
  }

  setSpeed() {
    this.hasSpeed = true;
    return this.driver.setPace({ steps_a_second: kSpeeds[this.speed.input.value] });
  }

  async replacePool(change) {
    if (!(await this.driver.replacePool(change))) return;
    this.say("A new engine: its cache is empty, and answers that were open have ended.");
  }

  take(event) {
    const isNew = event.pool.number !== this.event?.pool.number;
    if (isNew) {
      this.changes.forget();
      this.headline.forget();
    }
    const earlier = isNew ? event : this.event;
    if (isNew || event.requests.length > earlier.requests.length) this.past = namesOfEnded(earlier);
    const now = performance.now();
    this.changes.take(event, now);
    this.headline.take(event, earlier, now);
    this.earlier = earlier.state;
    if (isNew || event.step > this.event.step) this.lastStep = event;
    this.driver.take(event);
    this.isDrawn ??= requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.isDrawn = undefined;
    const { state, pool, requests } = this.event;
    const layout = { hasPool: true, numBlocks: pool.num_gpu_blocks, blockSize: pool.block_size,
      titleOfBlocks: `Memory, ${plural(pool.num_gpu_blocks - 1, "block")}`,
      legends: { blocks: keyOfBlocks(pool), queues: keyOfRequests() }, markOfRequest,
      markOfBlock: (id) => this.changes.markOfBlock(id) };
    updateChildren(this.call, stepLines(this.headline.text, this.event, this.lastStep));
    this.blocks.style.setProperty("--blocks", pool.num_gpu_blocks - 1);
    updateChildren(this.blocks,
      [blocksPanel(state, this.earlier, layout), queuePanel(state, this.earlier, layout)]);
    const isShown = ({ name }) => !this.past.has(name);
    updateChildren(this.requests,
      [queuesPanel(state, this.earlier, layout), answersPanel(requests.filter(isShown))]);
    this.drawControls();
  }

  // What the server says, but not while a hand or a key is at a slider.
  drawControls() {
    const { pool, pace } = this.event;
    const numBlocks = pool.num_gpu_blocks - 1;
    const speed = pace.steps_a_second;
    this.pause.textContent = pace.paused ? "Go on" : "Pause";
    this.settings.textContent =
      `Pool: ${plural(numBlocks, "block")} of ${plural(pool.block_size, "token")}`;
    this.blockSize.input.value = pool.block_size;
    this.rules.input.value = pool.rules;
    if (speed > 0) this.hasSpeed = true;
    const nearest = kSpeeds.findLastIndex((each) => each > 0 && each <= Math.max(speed, 1));
    const place = this.hasSpeed ? (speed > 0 ? nearest : kSpeeds.length - 1) : kFirstSpeed;
    if (document.activeElement !== this.speed.input) this.speed.show(place);
    if (document.activeElement !== this.size.input) {
      this.size.input.max = Math.max(kPoolSizes.most, numBlocks);
      this.size.show(numBlocks);
    }
  }
}

// data: a subtitle, and the address of the course, if there is one. Engine: the class of what
// computes, on a server or in the page itself.
export function poolView(data, Engine) {
  return [new PoolView(data, Engine).root];
}

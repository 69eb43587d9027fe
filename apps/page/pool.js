// The pool of an engine that runs: its blocks, its queues and what its requests say, step by step.

import { answersPanel } from "./answers.js";
import { Changes, markOfRequest } from "./changes.js";
import { element, plural, updateChildren } from "../../base/page/dom.js";
import { blocksPanel, queuePanel, queuesPanel } from "../../grader/page/drawing.js";
import { eightUsers, tooManyUsers } from "./load.js";
import { stepLines } from "./step_text.js";
import "./pool.css";

const kSpeeds = [1, 2, 4, 8, 16, 32, 64, 0];  // steps a second; 0: as many as it can
const kFirstSpeed = 3;  // a place in it
const kPoolSizes = { least: 8, most: 256, step: 8 };

const kBlockSizes = [1, 4, 8, 16, 32];
const kRules = { vllm_0_22: "of vLLM 0.22", vllm_0_33: "of vLLM 0.33" };

const kLegends = {
  blocks: "A letter: the request that has the block. Without a color: shared, × how many have " +
    "it. ◆: the prefix cache finds it; a free one fades on its way to the head of the free " +
    "queue. Dashed: block 0, which nobody gets.",
  queues: "A 4/6: request A has 6 tokens, and 4 of them are computed. Thick frame: it has just " +
    "come.",
};

function speedText(speed) {
  return speed === 0 ? "as fast as it can" : `${plural(speed, "step")} a second`;
}

class PoolView {
  constructor(subtitle, Engine) {
    this.changes = new Changes();
    this.calls = new AbortController();  // for text, that are open
    this.engine = new Engine({
      onEvent: (event) => this.take(event),
      onProblem: (text) => this.say(text),
      askForKey: () => this.askForKey(),
    });
    this.notice = element("p", { class: "notice", role: "status" });
    this.call = element("div", { class: "call" });
    this.blocks = element("div", { class: "panels" });
    this.requests = element("div", { class: "panels" });
    this.root = element("div", { class: "player" }, element("p", { class: "subtitle" }, subtitle),
      this.makeButtons(), this.makeControls(), this.notice,
      element("div", { class: "sides" },
        element("div", { class: "stage" }, this.call, this.blocks), this.requests));
    this.engine.watch();
  }

  makeButtons() {
    const button = (text, callOf) => element("button", {
      type: "button", click: () => this.ask(callOf()) }, text);
    this.prompt = element("input", { type: "text", "aria-label": "Your own prompt",
      placeholder: "Your own prompt" });
    return element("div", { class: "controls" },
      button("Eight users with one system prompt", () => eightUsers(this.seedOf())),
      button("Too many users for this pool", () => tooManyUsers(this.event.pool, this.seedOf())),
      element("form", { submit: (event) => this.submit(event) }, this.prompt,
        element("button", {}, "Ask")));
  }

  makeControls() {
    this.pause = element("button", { type: "button", class: "pause",
      click: () => this.engine.post("/pace", { paused: !this.event?.pace.paused }) }, "Pause");
    const step = element("button", { type: "button", class: "step-once",
      click: () => this.takeStep() }, "Step");
    this.speed = this.slider("Speed", { min: 0, max: kSpeeds.length - 1, class: "speed" },
      (value) => speedText(kSpeeds[value]), () => this.setSpeed());
    const { least, most, step: size } = kPoolSizes;
    this.size = this.slider("Pool", { min: least, max: most, step: size, class: "size" },
      (value) => plural(Number(value), "block"),
      (value) => this.replacePool({ blocks: Number(value) }));
    return element("div", { class: "controls" }, this.pause, step, this.speed.root, this.size.root,
      this.makeChoices());
  }

  // What a new engine and its texts depend on.
  makeChoices() {
    this.blockSize = this.choice("Block size", kBlockSizes.map((size) => [size, plural(size, "token")]),
      (value) => this.replacePool({ block_size: Number(value) }));
    this.rules = this.choice("Rules", Object.entries(kRules),
      (value) => this.replacePool({ rules: value }));
    this.seed = element("input", { type: "number", min: 0, max: 9999, value: 1, "aria-label": "Seed" });
    return element("div", { class: "choices" }, this.blockSize.root, this.rules.root,
      element("label", {}, "Seed ", this.seed));
  }

  // A list to choose from, of pairs of a value and its name.
  choice(name, options, choose) {
    const input = element("select", { "aria-label": name, change: () => choose(input.value) },
      options.map(([value, text]) => element("option", { value }, text)));
    return { input, root: element("label", {}, `${name} `, input) };
  }

  seedOf() {
    return Math.max(0, Math.trunc(Number(this.seed.value) || 0));
  }

  // A slider with its name before it and its value, in words, after it.
  slider(name, attributes, textOf, choose) {
    const output = element("output", {});
    const input = element("input", { type: "range", "aria-label": name, ...attributes,
      input: () => show(input.value), change: () => choose(input.value) });
    const show = (value) => {
      input.value = value;
      output.textContent = textOf(value);
      input.setAttribute("aria-valuetext", textOf(value));
    };
    return { input, show, root: element("label", { class: "slider" },
      element("span", {}, name), input, output) };
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
    if (!this.hasSpeed) await this.setSpeed();
    await this.engine.post("/v1/completions", call, this.calls.signal);
  }

  setSpeed() {
    this.hasSpeed = true;
    return this.engine.post("/pace", { steps_a_second: kSpeeds[this.speed.input.value] });
  }

  async takeStep() {
    if (!this.event.pace.paused) await this.engine.post("/pace", { paused: true });
    await this.engine.post("/step");
  }

  // Why this page gives its calls up first: then they do not end with an error.
  async replacePool(change) {
    this.calls.abort();
    this.calls = new AbortController();
    if (!(await this.engine.post("/pool", change))) return;
    this.say("A new engine: its cache is empty, and answers that were open have ended.");
  }

  take(event) {
    const isNew = event.pool.number !== this.event?.pool.number;
    if (isNew) this.changes.forget();
    this.changes.take(event, performance.now());
    this.earlier = isNew ? event.state : this.event.state;
    if (isNew || event.step > this.event.step) this.lastStep = event;
    this.event = event;
    this.isDrawn ??= requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.isDrawn = undefined;
    const { state, pool, pace, requests } = this.event;
    const layout = { hasPool: true, numBlocks: pool.num_gpu_blocks, blockSize: pool.block_size,
      legends: kLegends, markOfRequest, markOfBlock: (id) => this.changes.markOfBlock(id) };
    updateChildren(this.call, stepLines(this.event, this.lastStep));
    updateChildren(this.blocks,
      [blocksPanel(state, this.earlier, layout), queuePanel(state, this.earlier, layout)]);
    updateChildren(this.requests,
      [queuesPanel(state, this.earlier, layout), answersPanel(requests)]);
    this.pause.textContent = pace.paused ? "Go on" : "Pause";
    this.drawSliders(pool.num_gpu_blocks - 1, pace.steps_a_second);
    this.blockSize.input.value = pool.block_size;
    this.rules.input.value = pool.rules;
  }

  // What the server says, but not while a hand or a key is at a slider.
  drawSliders(numBlocks, speed) {
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

// Engine: the class of what computes, on a server or in the page itself.
export function poolView({ subtitle }, Engine) {
  return [new PoolView(subtitle, Engine).root];
}

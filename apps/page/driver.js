// What a page asks of an engine, and what it waits for: each call has an effect that an event shows.

export const isOver = ({ state }) => state.running.length + state.waiting.length === 0;

export class Driver {
  constructor(engine) {
    this.engine = engine;
    this.event = undefined;  // the newest one
    this.waits = [];
    this.calls = new AbortController();  // for text, that are open
  }

  take(event) {
    this.event = event;
    const [done, open] = [[], []];
    for (const wait of this.waits) (wait.condition(event) ? done : open).push(wait);
    this.waits = open;
    for (const wait of done) wait.resolve(true);
  }

  // True with the first event that is so.
  until(condition) {
    if (this.event && condition(this.event)) return true;
    return new Promise((resolve) => this.waits.push({ condition, resolve }));
  }

  // Why not its answer: that is there when the texts have ended.
  async ask(call) {
    this.engine.post("/v1/completions", call, this.calls.signal);
    return this.until((event) => !isOver(event));
  }

  setPace(pace) {
    return this.engine.post("/pace", pace);
  }

  // One step, also of an engine that runs.
  async takeStep() {
    if (!this.event.pace.paused && !(await this.setPace({ paused: true }))) return false;
    const { step } = this.event;
    if (!(await this.engine.post("/step"))) return false;
    return this.until((event) => event.step > step);
  }

  // A new engine. Why this page gives its calls up first: then they do not end with an error.
  async replacePool(change) {
    this.calls.abort();
    this.calls = new AbortController();
    const { number } = this.event.pool;
    if (!(await this.engine.post("/pool", change))) return false;
    return this.until((event) => event.pool.number !== number);
  }
}

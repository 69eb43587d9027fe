// The engine of a page that has no server: takes the calls that the page would make, and sends its
// states. createEngine comes before this text; it makes the WebAssembly.

const kMillisecondsOfTurn = 12; // between two looks at what the page wants

class Failure extends Error {}

class Runner {
  constructor(engine) {
    this.engine = engine;
    this.pace = { steps_a_second: 0, paused: false };
    this.timer = undefined;
  }

  // What a function of main.cpp answers. Throws Failure for what the tree throws.
  ask(name, ...texts) {
    const types = texts.map(() => "string");
    const answer = JSON.parse(this.engine.ccall(`live_${name}`, "string", types, texts));
    if (answer.status >= 500) throw new Failure(answer.error.message);
    return answer;
  }

  answerTo(path, body) {
    const refuse = (status, message) => ({ status, error: { message } });
    if (path === "/pace") return Object.assign(this.pace, body);
    if (path !== "/step") return this.ask("post", path, JSON.stringify(body));
    if (!this.pace.paused) return refuse(409, "the engine is not paused");
    return this.ask("step") ? {} : refuse(409, "there is no request to compute");
  }

  take({ id, path, body }) {
    postMessage({ id, answer: this.answerTo(path, body) });
    this.publish();
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.pace.paused) this.turn();
  }

  // As many steps as the pace has until the next look; the next turn comes when it is time.
  turn() {
    const { steps_a_second: speed } = this.pace;
    const end = performance.now() + kMillisecondsOfTurn;
    let goesOn = this.ask("step");
    while (goesOn && speed === 0 && performance.now() < end) goesOn = this.ask("step");
    if (!goesOn) return this.publish();
    this.publish();
    this.timer = setTimeout(() => guarded(() => this.turn()), speed > 0 ? 1000 / speed : 0);
  }

  publish() {
    postMessage({ event: { ...this.ask("event"), pace: this.pace } });
  }
}

// What breaks a step ends the engine, as it ends the server.
function guarded(work) {
  try {
    return work();
  } catch (error) {
    postMessage({ failure: error.message });
    throw error instanceof Failure ? new Error("stopped") : error;
  }
}

let runner;
const started = createEngine().then((engine) => guarded(() => {
  runner = new Runner(engine);
  runner.ask("begin");
  runner.publish();
}));

onmessage = ({ data }) => started.then(() => guarded(() => runner.take(data)));

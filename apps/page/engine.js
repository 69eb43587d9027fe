// The engine of ./lab serve: the stream of its states, and calls to it.

const kRetryMilliseconds = 1000;
const kNoAnswer = "The call has ended without an answer.";

// What the server refuses, in its own words.
class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Why the server has stopped: its tree has thrown an exception.
class Failure extends Error {}

async function refusalOf(response) {
  const text = await response.text();
  try {
    return new Refusal(response.status, JSON.parse(text).error.message);
  } catch {
    return new Refusal(response.status, text || `status ${response.status}`);
  }
}

export class Engine {
  // onEvent: gets each event. onProblem: gets a sentence, or "" when there is none any more.
  constructor({ onEvent, onProblem, askForKey }) {
    Object.assign(this, { onEvent, onProblem, askForKey });
    this.key = "";
    this.failure = "";
  }

  async fetch(path, options = {}) {
    const headers = this.key ? { Authorization: `Bearer ${this.key}` } : {};
    const response = await fetch(path, { ...options, headers });
    if (!response.ok) throw await refusalOf(response);
    return response;
  }

  // Says what went wrong. True: the server has done it.
  async post(path, body = {}, signal = undefined) {
    try {
      const call = { method: "POST", body: JSON.stringify(body), signal };
      await (await this.fetch(path, call)).text();
      return true;
    } catch (error) {
      if (error.name !== "AbortError") this.onProblem(error.status ? error.message : kNoAnswer);
      return false;
    }
  }

  // For as long as the page is there. Why not an EventSource: it cannot send the key.
  async watch() {
    for (;;) {
      try {
        await this.read(await this.fetch("/events"));
        this.onProblem("The server has stopped. This page waits for it.");
      } catch (error) {
        if (error.status === 401) this.key = await this.askForKey();
        else this.onProblem(this.problemOf(error));
      }
      await new Promise((resolve) => setTimeout(resolve, kRetryMilliseconds));
    }
  }

  // A failure is said until an engine runs again.
  problemOf(error) {
    if (error instanceof Failure) this.failure = `The server has stopped: ${error.message}`;
    return this.failure || (error.status ? error.message : "The server does not answer.");
  }

  async read(response) {
    this.onProblem(this.failure);
    const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await chunks.read();
      if (done) return;
      text += value;
      const events = text.split("\n\n");
      text = events.pop();
      for (const event of events) this.take(JSON.parse(event.slice("data: ".length)));
    }
  }

  take(event) {
    if (event.error) throw new Failure(event.error.message);
    if (this.failure) this.onProblem(this.failure = "");
    this.onEvent(event);
  }
}

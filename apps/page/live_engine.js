// An engine in a worker of the page: the calls and states of ./lab serve, without a server. The
// script engine.js beside the page brings it, as a text in globalThis.liveEngine. Why a text: a page
// that was opened as a file may run no other file in a worker.

import { element } from "../../base/page/dom.js";

function loadScript(file) {
  return new Promise((resolve, reject) => {
    const { nonce } = document.querySelector("script[nonce]");
    const missing = () => reject(new Error(`${file} is not beside this page.`));
    document.head.append(element("script", { src: file, nonce, load: resolve, error: missing }));
  });
}

export class LiveEngine {
  // onEvent: gets each event. onProblem: gets a sentence, or "" when there is none any more.
  constructor({ onEvent, onProblem }) {
    Object.assign(this, { onEvent, onProblem });
    this.calls = new Map(); // those without an answer yet, by their ids
    this.failure = "";
  }

  async watch() {
    this.onProblem("The engine is on its way …");
    try {
      await loadScript("engine.js");
      this.start(globalThis.liveEngine);
    } catch (error) {
      this.onProblem(`This page cannot run the engine: ${error.message}`);
    }
  }

  start(text) {
    const source = new Blob([text], { type: "text/javascript" });
    this.worker = new Worker(URL.createObjectURL(source));
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = () => {
      if (!this.failure) this.onProblem("This browser cannot run the engine.");
    };
  }

  take({ id, answer, event, failure }) {
    if (failure) {
      this.failure = `The engine has stopped: ${failure}`;
      this.onProblem(this.failure);
    } else if (event) {
      if (!this.isReady) this.onProblem("");
      this.isReady = true;
      this.onEvent(event);
    } else {
      this.calls.get(id)(answer);
      this.calls.delete(id);
    }
  }

  // Says what went wrong. True: the engine has done it.
  async post(path, body = {}) {
    if (!this.isReady || this.failure) return false;
    const id = (this.lastId = (this.lastId ?? 0) + 1);
    const answer = await new Promise((resolve) => {
      this.calls.set(id, resolve);
      this.worker.postMessage({ id, path, body });
    });
    if (answer.error) this.onProblem(answer.error.message);
    return !answer.error;
  }
}

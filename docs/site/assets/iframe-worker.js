// The search runs in a Worker, and a browser gives none to a page that was opened from a file. This
// runs the script of a worker in a hidden frame instead, with the messages of a worker.
"use strict";

class FrameWorker extends EventTarget {
  constructor(script) {
    super();
    this.waiting = []; // until the script runs
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    this.frame.title = "search";
    document.body.append(this.frame);
    const inside = this.frame.contentWindow;
    inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
    inside.importScripts = (...others) => Promise.all(others.map((other) => this.run(other)));
    this.run(script).then(() => this.deliver());
  }

  run(script) {
    return new Promise((done, failed) => {
      const element = this.frame.contentDocument.createElement("script");
      element.src = script;
      element.onload = done;
      element.onerror = () => failed(new Error(`${script} cannot be loaded`));
      this.frame.contentDocument.body.append(element);
    });
  }

  postMessage(data) {
    this.waiting?.push(data) ?? this.send(data);
  }

  deliver() {
    this.waiting.forEach((data) => this.send(data));
    this.waiting = null;
  }

  send(data) {
    this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
  }

  terminate() {
    this.frame.remove();
  }
}

if (location.protocol === "file:") window.Worker = FrameWorker;

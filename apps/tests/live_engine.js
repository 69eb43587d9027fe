// Runs the engine of a static page, without the page: node live_engine.js engine.js. Reads calls, a
// JSON list of [path, body]; writes, as JSON, the texts of all requests in the end, and the hash of
// all logits.
const { readFileSync } = require("node:fs");

const kResult = { texts: {} };

function noteEvent({ failure, answer, event }) {
  if (failure) kResult.failure = failure;
  if (answer?.error) kResult.error = answer.error.message;
  for (const { name, prompt, output, state } of event?.requests ?? []) {
    kResult.texts[name] = { prompt, output, state };
  }
}

// As in a page: what a worker throws after it has said why is of no more use.
process.on("uncaughtException", (error) => {
  if (!kResult.failure) throw error;
});

globalThis.postMessage = noteEvent;
eval(readFileSync(process.argv[2], "utf8")); // sets liveEngine
const worker = new Function("require", "__filename", "__dirname",
  `${globalThis.liveEngine}; return { take: (data) => onmessage({ data }), runnerOf: () => runner };`);
const { take, runnerOf } = worker(require, process.argv[2], "");

function isOver() {
  const names = Object.values(kResult.texts);
  return kResult.failure || names.every(({ state }) => state === "finished");
}

async function main() {
  for (const [path, body] of JSON.parse(readFileSync(0, "utf8"))) {
    await take({ id: 0, path, body });
    while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (!kResult.failure) kResult.logits = runnerOf().ask("logits_hash");
  console.log(JSON.stringify(kResult));
}

main().catch((error) => {
  console.log(JSON.stringify({ ...kResult, failure: kResult.failure ?? error.message }));
});

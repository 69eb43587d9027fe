// What a step of an engine did, and how its pool is after it, in words.

import { element, plural } from "../../base/page/dom.js";

// "computes 1 token each of A B, 14 tokens of C; preempts D"
function stepText(scheduled = {}, preempted = []) {
  const byCount = new Map();
  for (const [name, count] of Object.entries(scheduled)) {
    byCount.set(count, [...(byCount.get(count) ?? []), name]);
  }
  const parts = [...byCount].map(([count, names]) =>
    `${plural(count, "token")}${names.length > 1 ? " each" : ""} of ${names.join(" ")}`);
  const computed = parts.length > 0 ? `computes ${parts.join(", ")}` : "computes nothing";
  return preempted.length > 0 ? `${computed}; preempts ${preempted.join(" ")}` : computed;
}

// "blocks: allocated #3 #4, hit #1"
function changesText(changes = {}) {
  const parts = Object.entries(changes).filter(([, ids]) => ids.length > 0)
    .map(([kind, ids]) => `${kind} ${ids.map((id) => `#${id}`).join(" ")}`);
  return parts.length > 0 ? `blocks: ${parts.join(", ")}` : "blocks: no change";
}

function totalsText({ state, pool, num_hit_tokens: numHit, num_preemptions: numPreempted }) {
  const used = Object.keys(state.used).length;
  const kept = state.free.filter((id) => state.cached.includes(id)).length;
  return `${used} of ${plural(pool.num_gpu_blocks - 1, "block")} in use, ` +
    `${kept} cached and free · ${plural(numHit, "token")} found in the cache` +
    ` · ${plural(numPreempted, "preemption")}`;
}

// headline: what has happened, in one sentence. event: the newest one; lastStep: the last one with
// another step. Each is one line, whose rest is cut, so that nothing below it moves.
export function stepLines(headline, event, lastStep) {
  const { scheduled, changes, preempted } = lastStep;
  const paused = event.pace.paused ? "paused · " : "";
  const did = `${paused}${stepText(scheduled, preempted)} · ${changesText(changes)}`;
  const totals = totalsText(event);
  return [element("p", { class: "headline" }, headline),
    element("p", { class: "did", title: did },
      element("span", { class: "number" }, `step ${event.step}`), did),
    element("p", { class: "totals", title: totals }, totals)];
}

// What a step of an engine did, and how its pool is after it, in words.

import { element, plural } from "../../base/page/dom.js";

// "computes 1 token of A B, 14 tokens of C; preempts D"
function stepText(scheduled = {}, preempted = []) {
  const byCount = new Map();
  for (const [name, count] of Object.entries(scheduled)) {
    byCount.set(count, [...(byCount.get(count) ?? []), name]);
  }
  const parts = [...byCount].map(([count, names]) =>
    `${plural(count, "token")} of ${names.join(" ")}`);
  const computed = parts.length > 0 ? `computes ${parts.join(", ")}` : "computes nothing";
  return preempted.length > 0 ? `${computed}; preempts ${preempted.join(" ")}` : computed;
}

// "blocks: allocated #3 #4, hit #1"
function changesText(changes = {}) {
  const parts = Object.entries(changes).filter(([, ids]) => ids.length > 0)
    .map(([kind, ids]) => `${kind} ${ids.map((id) => `#${id}`).join(" ")}`);
  return parts.length > 0 ? `blocks: ${parts.join(", ")}` : "blocks: no change";
}

// event: the newest one; lastStep: the last one with another step.
export function stepLines(event, lastStep) {
  const { step, state, pool, num_hit_tokens, num_preemptions } = event;
  const { scheduled, changes, preempted } = lastStep;
  const used = Object.keys(state.used).length;
  const kept = state.free.filter((id) => state.cached.includes(id)).length;
  const totals = `${used} of ${plural(pool.num_gpu_blocks - 1, "block")} in use, ` +
    `${kept} cached and free · ${plural(num_hit_tokens, "token")} found in the cache` +
    ` · ${plural(num_preemptions, "preemption")}`;
  const number = element("span", { class: "number" }, `step ${step}`);
  return [element("p", { class: "sentence" }, number, stepText(scheduled, preempted)),
    element("p", { class: "blocks-changed" }, changesText(changes)),
    element("p", { class: "totals" }, totals)];
}

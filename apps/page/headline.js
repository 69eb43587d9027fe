// What has just happened to a pool, in one sentence. Of what a step does, the rarest is said.

import { plural } from "../../base/page/dom.js";
import { ownersOf } from "./changes.js";

const kMostNames = 4;
const kHoldMilliseconds = 2500;  // how long a sentence stays, unless a rarer thing happens

const kNothing = { changes: { allocated: [], hit: [], cached: [], freed: [], evicted: [] },
  scheduled: {}, preempted: [] };

// "A", "A and B", "A, B, C and 5 more"
function listOf(names) {
  if (names.length > kMostNames) {
    return `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
  }
  return names.join(", ").replace(/, ([^,]*)$/, " and $1");
}

const verb = (names, one, many) => (names.length === 1 ? one : many);

// Each name once, in the order of the blocks.
function namesThatHave(ids, { block_tables: tables }) {
  const owners = ownersOf(tables);
  return [...new Set(ids.flatMap((id) => owners.get(id) ?? []))];
}

// Each gets the newest event, with what happened since the one before, and that one. The first that
// has a sentence is said.
const kSayings = [sayPreempted, sayHit, sayEvicted, sayEnded, sayPrompts, sayAllocated, sayTokens];

function sayPreempted({ preempted }) {
  if (preempted.length === 0) return "";
  return `No block is free: ${listOf(preempted)} ${verb(preempted, "gives its", "give their")} ` +
    `blocks back, ${verb(preempted, "waits, and starts", "wait, and start")} over later.`;
}

// Why num_cached_tokens: who computed a block in this very step has it, too, and did not find it.
function takersOf(hit, { requests, state }, before) {
  const found = new Set(hit);
  const isTaken = (name, id) => found.has(id) && !before.get(id)?.includes(name);
  return requests.filter(({ num_cached_tokens: numCached }) => numCached > 0)
    .map(({ name }) => name)
    .filter((name) => (state.block_tables[name] ?? []).some((id) => isTaken(name, id)));
}

function sayHit(event, earlier) {
  const { changes, state, num_hit_tokens: numTokens } = event;
  const takers = takersOf(changes.hit, event, ownersOf(earlier.state.block_tables));
  if (takers.length === 0) return "";
  const other = namesThatHave(changes.hit, state).find((name) => !takers.includes(name));
  const from = other ? `that ${other} has computed` : "that the cache has kept";
  const saved = plural(numTokens - earlier.num_hit_tokens, "token");
  return `${listOf(takers)} ${verb(takers, "takes", "share")} ` +
    `${plural(changes.hit.length, "block")} ${from}: ${saved} need no work.`;
}

function sayEvicted({ changes, state }) {
  const takers = namesThatHave(changes.evicted, state);
  if (takers.length === 0) return "";
  return `${listOf(takers)} ${verb(takers, "takes", "take")} ` +
    `${plural(changes.evicted.length, "block")} that the cache had kept; it forgets what was there.`;
}

function sayEnded({ changes, requests, state }, earlier) {
  const wasOpen = new Set(earlier.requests.filter(({ state: now }) => now !== "finished")
    .map(({ name }) => name));
  const ended = requests.filter(({ name, state: now }) => now === "finished" && wasOpen.has(name))
    .map(({ name }) => name);
  if (ended.length === 0) return "";
  const numKept = changes.freed.filter((id) => state.cached.includes(id)).length;
  const kept = numKept > 0 ? `, and the cache still finds ${numKept} of them` : "";
  return `${listOf(ended)} ${verb(ended, "has", "have")} ended: ` +
    `${plural(changes.freed.length, "block")} ${changes.freed.length === 1 ? "is" : "are"} ` +
    `free${kept}.`;
}

function sayPrompts({ scheduled }) {
  const prompts = Object.entries(scheduled).filter(([, count]) => count > 1);
  if (prompts.length === 0) return "";
  const names = prompts.map(([name]) => name);
  const numTokens = prompts.reduce((sum, [, count]) => sum + count, 0);
  return `The ${verb(names, "prompt", "prompts")} of ${listOf(names)} ${verb(names, "is", "are")} ` +
    `computed in one step: ${plural(numTokens, "token")}.`;
}

function sayAllocated({ changes, state }) {
  const takers = namesThatHave(changes.allocated, state);
  if (takers.length === 0) return "";
  return `The last block of ${listOf(takers)} is full: ${verb(takers, "it takes", "they take")} ` +
    `${verb(takers, "one", "some")} from the head of the free queue.`;
}

function sayTokens({ scheduled }) {
  const names = Object.keys(scheduled);
  if (names.length === 0) return "";
  return names.length === 1 ? `${names[0]} gets one token.`
    : `${names.length} requests run, and each gets one token.`;
}

function sayIdle({ pool }) {
  const num = plural(pool.num_gpu_blocks - 1, "block");
  return `Memory for a model's keys and values: ${num} of ${plural(pool.block_size, "token")}.`;
}

export class Headline {
  constructor() {
    this.forget();
  }

  // Another pool.
  forget() {
    Object.assign(this, { text: "", rank: kSayings.length, until: 0, step: -1 });
  }

  // earlier: the event before. A pool that is paused shows one step: then its sentence is said.
  take(event, earlier, now) {
    if (event.step !== this.step) this.last = this.sayingOf(event, earlier);
    this.step = event.step;
    const { rank, text } = this.last;
    const isDue = rank < this.rank || now >= this.until || event.pace.paused;
    if (isDue) Object.assign(this, { text, rank, until: now + kHoldMilliseconds });
  }

  sayingOf(event, earlier) {
    const happened = event.changes ? event : { ...event, ...kNothing };
    for (const [rank, say] of kSayings.entries()) {
      const text = say(happened, earlier);
      if (text !== "") return { rank, text };
    }
    return { rank: kSayings.length, text: sayIdle(event) };
  }
}

// How the blocks and requests of a pool look: a color for each request, the age of what is free,
// and what has just happened to a block.

const kNumColors = 8;  // so that no two are near each other
const kNumAges = 5;
const kFlashMilliseconds = 500;

// " color2": C has it on every page. Names are A to Z, then A2 to Z2.
export function markOfRequest(name) {
  const letter = name.charCodeAt(0) - "A".charCodeAt(0);
  const round = (Number(name.slice(1)) || 1) - 1;
  return ` color${(letter + 26 * round) % kNumColors}`;
}

// Where each block is in the free queue: 0 came last, kNumAges - 1 is at the head.
function agesOf(free) {
  const age = (at) => Math.floor((kNumAges * (free.length - 1 - at)) / free.length);
  return new Map(free.map((id, at) => [id, age(at)]));
}

// By block: the names of those that have it.
export function ownersOf(tables) {
  const owners = new Map();
  for (const [name, ids] of Object.entries(tables)) {
    for (const id of ids) owners.set(id, [...(owners.get(id) ?? []), name]);
  }
  return owners;
}

export class Changes {
  constructor() {
    this.forget();
  }

  // Another pool.
  forget() {
    this.flashes = new Map();
    this.lastColors = new Map();
    this.state = { free: [], block_tables: {} };
  }

  // The next event. A flash stays until the first event after its time; in a pool that is paused, for
  // as long as the step that it is of.
  take(event, now) {
    const earlier = ownersOf(this.state.block_tables);
    this.state = event.state;
    this.cached = new Set(event.state.cached);
    this.ages = agesOf(event.state.free);
    this.owners = ownersOf(event.state.block_tables);
    for (const [id, names] of this.owners) {
      if (names.length === 1) this.lastColors.set(id, markOfRequest(names[0]));
      else this.lastColors.delete(id);
    }
    for (const [id, { step, until }] of this.flashes) {
      if (event.pace.paused ? step !== event.step : until <= now) this.flashes.delete(id);
    }
    const shown = { step: event.step, until: now + kFlashMilliseconds };
    const flash = (ids, kind) => ids.forEach((id) => this.flashes.set(id, { kind, ...shown }));
    const { freed = [], hit = [], evicted = [] } = event.changes ?? {};
    const preempted = new Set(event.preempted);
    flash(freed.filter((id) => earlier.get(id)?.some((name) => preempted.has(name))), "back");
    flash(evicted, "evicted");
    flash(hit, "hit");
  }

  // The classes of a block's cell.
  markOfBlock(id) {
    const flash = this.flashes.get(id);
    const age = this.ages.get(id);
    const isShared = this.owners.get(id)?.length > 1;
    const isKept = age !== undefined && this.cached.has(id);
    const color = age === undefined || isKept ? this.lastColors.get(id) : "";
    return `${color ?? ""}${isShared ? " shared" : ""}${isKept ? ` age${age}` : ""}` +
      `${flash ? ` ${flash.kind}` : ""}`;
  }
}

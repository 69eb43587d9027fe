// What a state says about each block, and in which way a call differs from what was expected.

// Names of the state with a drawing of their own.
export const kDrawn = ["free", "used", "cached", "hashes", "block_tables", "num_tokens", "hits",
  "slots", "read", "waiting", "running"];

export const kMaxBlocks = 256;  // that are drawn, and that a list of a log has

// By id: where the block is, how many use it, the hash it has, the requests whose table has it.
export function blocksIn(state, layout) {
  const blocks = new Map();
  const block = (id) => {
    if (!blocks.has(id)) blocks.set(id, { id, isFree: false, refCount: 0, hash: "", owners: [] });
    return blocks.get(id);
  };
  for (let id = 0; id < Math.min(layout.numBlocks, kMaxBlocks); ++id) block(id);
  for (const id of state.free ?? []) block(id).isFree = true;
  for (const [id, count] of Object.entries(state.used ?? {})) block(Number(id)).refCount = count;
  (state.cached ?? []).forEach((id, at) => (block(id).hash = state.hashes?.[at] ?? "cached"));
  for (const [name, ids] of Object.entries(state.block_tables ?? {})) {
    for (const id of ids) block(id).owners.push(name);
  }
  const all = [...blocks.values()].sort((left, right) => left.id - right.id);
  for (const each of all) each.place = placeOf(each, state, layout);
  return all;
}

// A pool has each block in use or free; "both" and "lost" are what a bug can leave.
function placeOf({ id, isFree, refCount }, state, layout) {
  if (isFree) return refCount > 0 ? "both" : "free";
  if (refCount > 0) return "used";
  if (layout.hasPool && id === 0) return "null";
  return layout.hasPool && state.used ? "lost" : "out";
}

// Two blocks are drawn the same.
export function isSameBlock(left, right) {
  return JSON.stringify(left) === JSON.stringify(right);
}

const kWhere = {
  free: "free",
  used: "in use",
  both: "in use and in the free queue",
  lost: "neither in use nor free",
  out: "not in the free queue",
  null: "the null block, never handed out",
};

export function sentenceOf(block) {
  const parts = [`block ${block.id}`, kWhere[block.place]];
  if (block.refCount > 0) parts.push(`ref_cnt ${block.refCount}`);
  if (block.hash) parts.push(block.hash === "cached" ? "cached" : `cached, hash ${block.hash}`);
  if (block.owners.length > 0) parts.push(`in the table of ${block.owners.join(", ")}`);
  return parts.join(", ");
}

// "A 4/6" of a scheduler's queue is request A.
export function nameOf(entry) {
  return entry.slice(0, entry.lastIndexOf(" "));
}

// The part of the frame that an expectation is about; undefined: the log does not have it.
function yoursOf(frame, expectation) {
  const { of } = expectation;
  if (of === "result") return frame.result;
  if (of === "free" || of === "cached") return frame.state?.[of];
  if (of === "waiting" || of === "running") return frame.state?.[of]?.map(nameOf);
  const name = expectation.request_id ?? expectation.sequence;
  if (of === "table") return frame.state?.block_tables && (frame.state.block_tables[name] ?? []);
  if (of === "hit") return frame.state?.hits?.[name];
  return undefined;
}

// The expectations of a frame, each beside what came out.
export function expectationsOf(frame) {
  return (frame.expected ?? []).map((expectation) => {
    const { of, value, blocks, request_ids: names, ...about } = expectation;
    const expected = of === "result" ? value : blocks ?? names;
    const yours = yoursOf(frame, expectation);
    const isKnown = expected !== undefined && yours !== undefined;
    const isEqual = JSON.stringify(expected) === JSON.stringify(yours);
    const what = [of, ...Object.values(about)].join(" ");
    return { what, expected, yours, isKnown, isEqual: isKnown && isEqual };
  });
}

export function isWrong(frame) {
  return expectationsOf(frame).some(({ isKnown, isEqual }) => isKnown && !isEqual);
}

// The places of a list that are not in the longest sequence which both lists have, in order.
export function placesThatDiffer(list, other) {
  const longest = Array.from({ length: list.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = list.length - 1; i >= 0; --i) {
    for (let j = other.length - 1; j >= 0; --j) {
      longest[i][j] = list[i] === other[j]
        ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const places = new Set(list.keys());
  for (let i = 0, j = 0; i < list.length && j < other.length;) {
    if (list[i] === other[j]) {
      places.delete(i++);
      ++j;
    } else if (longest[i + 1][j] >= longest[i][j + 1]) ++i;
    else ++j;
  }
  return places;
}

// [1, 2] as a person reads it; text as it is.
export function textOf(value) {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return `[${value.map(textOf).join(" ")}]`;
  if (typeof value === "object") {
    return `[${Object.entries(value).map(([key, item]) => `${key}:${textOf(item)}`).join(" ")}]`;
  }
  return String(value);
}

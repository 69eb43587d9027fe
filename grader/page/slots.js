// The slots of lab 05: where a call writes keys and values, and where those of its tokens are.

import { element, panel } from "../../base/page/dom.js";
import { kMaxBlocks } from "./state.js";

// The slot of each of the first numTokens positions of a table.
function slotsOfTokens(table, numTokens, blockSize) {
  const slots = [];
  for (let position = 0; position < numTokens; ++position) {
    const block = table[Math.floor(position / blockSize)];
    if (block === undefined) break;
    slots.push(block * blockSize + (position % blockSize));
  }
  return slots;
}

// null: the log does not say which slots the call is about.
export function slotsIn(frame, layout) {
  const { slot_mapping, block_table, seq_len } = frame.args;
  const blockSize = frame.args.block_size ?? layout.blockSize;
  const mapped = frame.call === "build_slot_mapping" ? frame.result : undefined;
  const written = (frame.state?.slots ?? slot_mapping ?? mapped ?? []).filter((slot) => slot >= 0);
  const hasTokens = blockSize > 0 && Array.isArray(block_table) && seq_len > 0;
  const attended = hasTokens ? slotsOfTokens(block_table, seq_len, blockSize) : [];
  const read = frame.state?.read;  // undefined: not recorded
  const hasSlots = written.length + attended.length + (read?.length ?? 0) > 0;
  const isCache = layout.numBlocks > 0 && !layout.hasPool;
  if (!blockSize || !(hasSlots || isCache)) return null;
  return { blockSize, written: new Set(written), attended: new Set(attended),
    read: read && new Set(read) };
}

// Those of the pool and those with such slots, by id.
function blocksOf({ blockSize, written, attended, read }, layout) {
  const slots = [...written, ...attended, ...(read ?? [])];
  const blocks = new Set(slots.map((slot) => Math.floor(slot / blockSize)));
  for (let block = 0; block < layout.numBlocks; ++block) blocks.add(block);
  return [...blocks].sort((left, right) => left - right).slice(0, kMaxBlocks);
}

// What is drawn in a slot: its class, its mark, and the words for it.
function markOf(slot, { written, attended, read }) {
  if (written.has(slot)) return ["w", "w", ", written"];
  const isRead = read?.has(slot);
  if (!attended.has(slot)) {
    return isRead ? ["wrong", "r \u2260", ", of no token of this call, but your code has read it"]
      : ["", "", ""];
  }
  const ofToken = ", of a token that is attended to";
  if (!read) return ["a", "a", ofToken];
  return isRead ? ["a", "r", `${ofToken}, and read`]
    : ["a wrong", "a \u2260", `${ofToken}, but not read`];
}

function slotCell(slot, slots) {
  const [name, mark, words] = markOf(slot, slots);
  return element("td", { class: `slot ${name}`, "aria-label": `slot ${slot}${words}` }, `${slot}`,
    element("b", { "aria-hidden": "true" }, mark));
}

const kLegend = "w: this call writes it, or maps a token to it. " +
  "a: holds a token that this call attends to. ";
const kReadLegend = "r: your code has read it. " +
  "\u2260: read, though it holds no such token, or not read, though it does.";

export function slotsPanel(frame, layout) {
  const slots = slotsIn(frame, layout);
  if (slots === null) return null;
  const rows = blocksOf(slots, layout).map((block) => {
    const cells = Array.from({ length: slots.blockSize },
      (_, offset) => slotCell(block * slots.blockSize + offset, slots));
    return element("tr", {}, element("th", { scope: "row" }, `#${block}`), cells);
  });
  const legend = kLegend + (slots.read ? kReadLegend : "");
  return panel("Slots, a row for each block", "slots",
    element("div", { class: "scroll" }, element("table", {}, element("tbody", {}, rows))),
    element("p", { class: "legend" }, legend));
}

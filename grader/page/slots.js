// The slots of lab 05: where a call writes keys and values, and where those of its tokens are.

import { element, panel } from "./dom.js";
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
  if (!blockSize || written.length + attended.length === 0) return null;
  return { blockSize, written: new Set(written), attended: new Set(attended) };
}

// Those of the pool and those with such slots, by id.
function blocksOf({ blockSize, written, attended }, layout) {
  const blocks = new Set([...written, ...attended].map((slot) => Math.floor(slot / blockSize)));
  for (let block = 0; block < layout.numBlocks; ++block) blocks.add(block);
  return [...blocks].sort((left, right) => left - right).slice(0, kMaxBlocks);
}

function slotCell(slot, slots) {
  const isWritten = slots.written.has(slot);
  const isAttended = slots.attended.has(slot);
  const mark = isWritten ? "w" : isAttended ? "a" : "";
  const what = isWritten ? ", written" : isAttended ? ", of a token that is attended to" : "";
  return element("td", { class: `slot ${mark}`, "aria-label": `slot ${slot}${what}` }, `${slot}`,
    element("b", { "aria-hidden": "true" }, mark));
}

export function slotsPanel(frame, layout) {
  const slots = slotsIn(frame, layout);
  if (slots === null) return null;
  const rows = blocksOf(slots, layout).map((block) => {
    const cells = Array.from({ length: slots.blockSize },
      (_, offset) => slotCell(block * slots.blockSize + offset, slots));
    return element("tr", {}, element("th", { scope: "row" }, `#${block}`), cells);
  });
  const legend = "w: this call writes it, or maps a token to it. " +
    "a: holds a token that this call attends to. " +
    "Which slots your code has read is not recorded.";
  return panel("Slots, a row for each block", "slots",
    element("div", { class: "scroll" }, element("table", {}, element("tbody", {}, rows))),
    element("p", { class: "legend" }, legend));
}

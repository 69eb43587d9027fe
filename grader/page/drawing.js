// The state after a call, drawn: the scheduler's queues, free queue, blocks, block tables, and all
// else by its name.

import { element, panel, plural } from "../../base/page/dom.js";
import { blocksIn, isSameBlock, kDrawn, kMaxBlocks, nameOf, sentenceOf, textOf } from "./state.js";
import "./player.css";

// The mark of a block or a request on a page without colors for them.
const noMark = () => "";

// A list of ids. `mark(id, at)` gives the class of each, `drawn(id)` what it shows.
export function chips(ids, label, mark, drawn = textOf) {
  const items = ids.map((id, at) => element("li", { class: mark(id, at) }, drawn(id)));
  return element("ol", { class: "chips", "aria-label": label },
    items.length > 0 ? items : element("li", { class: "none" }, "empty"));
}

// What the list has lost and gained: "left: #1 #2".
function changeText(ids, earlier) {
  const missing = (from, other) => from.filter((id) => !other.includes(id)).map((id) => `#${id}`);
  const left = missing(earlier, ids);
  const came = missing(ids, earlier);
  const parts = [["left", left], ["came", came]].filter(([, changed]) => changed.length > 0);
  return parts.map(([word, changed]) => `${word}: ${changed.join(" ")}`).join("   ");
}

export function queuePanel(state, earlier, layout) {
  if (!state.free) return null;
  const markOf = layout.markOfBlock ?? noMark;
  const before = earlier.free ?? state.free;
  const cached = new Set(state.cached ?? []);
  const known = new Set(before);
  const list = chips(state.free, "ids from head to tail",
    (id) => `${known.has(id) ? "" : "new "}${cached.has(id) ? "cached" : ""}${markOf(id)}`);
  list.prepend(element("li", { class: "end", "aria-hidden": "true" }, "head"));
  list.append(element("li", { class: "end", "aria-hidden": "true" }, "tail"));
  return panel(`Free queue, ${plural(state.free.length, "block")}`, "queue", list,
    element("p", { class: "change" }, changeText(state.free, before) || "\u00a0"));
}

function blockCell(block, isChanged, mark) {
  const label = sentenceOf(block) + (isChanged ? "; changed by this call" : "");
  const corner = block.place === "null" ? "null" : block.refCount > 0 ? `×${block.refCount}` : "";
  const hash = block.hash && block.hash !== "cached" ? block.hash.slice(2, 6) : block.hash;
  return element("li", {
    class: `block ${block.place}${block.hash ? " cached" : ""}${isChanged ? " changed" : ""}${mark}`,
    "data-id": block.id, "aria-label": label, title: label,
  },
    element("span", { class: "id" }, `#${block.id}`),
    element("span", { class: "count" }, corner),
    element("span", { class: "hash" },
      hash ? ["◆", element("span", { class: "digits" }, ` ${hash}`)] : ""),
    element("span", { class: "owners" }, block.owners.join(" ")));
}

const kPoolLegend = "Filled: in use, × its ref_cnt. Framed: free. ◆: cached, with the first " +
  "digits of its hash; below it the requests that have the block. " +
  "Thick frame: changed by this call.";
const kQueueLegend = "Framed: in the free queue. Filled: outside of it. " +
  "Thick frame: changed by this call.";

export function blocksPanel(state, earlier, layout) {
  const blocks = blocksIn(state, layout);
  if (blocks.length === 0 || !(state.free || state.used || state.block_tables)) return null;
  const before = new Map(blocksIn(earlier, layout).map((block) => [block.id, block]));
  const shown = blocks.slice(0, kMaxBlocks);
  const hasEarlier = Object.keys(earlier).length > 0;
  const cells = shown.map((block) => blockCell(block,
    hasEarlier && !(before.has(block.id) && isSameBlock(block, before.get(block.id))),
    (layout.markOfBlock ?? noMark)(block.id)));
  const total = Math.max(layout.numBlocks, blocks.length);
  const title = total > shown.length
    ? `Blocks, ${shown.length} of ${total.toLocaleString("en")}` : `Blocks, ${total}`;
  return panel(layout.titleOfBlocks ?? title, "blocks", element("ol", { class: "grid" }, cells),
    element("p", { class: "legend" },
      layout.legends?.blocks ?? (layout.hasPool ? kPoolLegend : kQueueLegend)));
}

function tableRow(name, ids, earlier, numTokens) {
  const known = earlier ?? [];
  const note = numTokens === undefined ? "" : plural(numTokens, "token");
  return element("tr", {}, element("th", { scope: "row" }, name),
    element("td", {}, chips(ids, `blocks of ${name}`, (id, at) => (known[at] === id ? "" : "new"))),
    element("td", { class: "note" }, note));
}

function tablesPanel(state, earlier) {
  const tables = Object.entries(state.block_tables ?? {});
  if (tables.length === 0) return null;
  const rows = tables.map(([name, ids]) =>
    tableRow(name, ids, earlier.block_tables?.[name], state.num_tokens?.[name]));
  return panel("Block tables", "tables", element("table", {}, element("tbody", {}, rows)));
}

const kQueues = [["waiting", "next one first"], ["running", "in the order of admission"]];
const kQueuesLegend = "A 4/6: request A has 6 tokens, and 4 of them are computed. " +
  "Thick frame: came with this call.";

// "A 4/6", of which a page can show the name alone.
function entryText(entry) {
  const name = nameOf(entry);
  return [name, element("span", { class: "progress" }, entry.slice(name.length))];
}

function queueRow(queue, order, entries, earlier, markOf) {
  const known = new Set((earlier ?? entries).map(nameOf));
  return element("tr", {}, element("th", { scope: "row" }, queue),
    element("td", {}, chips(entries, `${queue}, ${order}`,
      (entry) => `${known.has(nameOf(entry)) ? "" : "new"}${markOf(nameOf(entry))}`, entryText)),
    element("td", { class: "note" }, order));
}

// The two queues of a scheduler.
export function queuesPanel(state, earlier, layout) {
  if (!state.waiting || !state.running) return null;
  const rows = kQueues.map(([queue, order]) =>
    queueRow(queue, order, state[queue], earlier[queue], layout.markOfRequest ?? noMark));
  return panel("Requests", "tables queues", element("table", {}, element("tbody", {}, rows)),
    element("p", { class: "legend" }, layout.legends?.queues ?? kQueuesLegend));
}

// What has no drawing, as name and value.
function othersPanel(state) {
  const names = Object.keys(state).filter((name) => !kDrawn.includes(name));
  if (names.length === 0) return null;
  const items = names.map((name) =>
    [element("dt", {}, name), element("dd", {}, textOf(state[name]))]);
  return panel("Also in the state", "others", element("dl", {}, items));
}

// earlier: the state before the call, {} if there is none. layout can have a class, after a blank,
// for each block and each request (markOfBlock, markOfRequest), legends, and titleOfBlocks.
export function statePanels(state, earlier, layout) {
  return [queuesPanel(state, earlier, layout), queuePanel(state, earlier, layout),
    blocksPanel(state, earlier, layout),
    tablesPanel(state, earlier), othersPanel(state)];
}

// What the looks of blocks and requests mean, each beside a sample.

import { element, plural } from "../../base/page/dom.js";

function key(entries) {
  return element("span", { class: "key" }, entries.map(([look, text, meaning]) =>
    element("span", { class: "entry" },
      element("i", { class: `sample ${look}`, "aria-hidden": "true" }, text), ` ${meaning}`)));
}

export function keyOfBlocks({ block_size: blockSize }) {
  return key([
    ["used color0", "A", `keys and values of ${plural(blockSize, "token")} of request A`],
    ["shared", "×8", "of eight requests"],
    ["kept age1 color0", "", "free, with what A left in it"],
    ["empty", "", "free"],
    ["mark", "◆", "full, and the cache finds it"],
    ["null", "", "stands for no block"],
    ["shared", "hit", "just found"],
    ["shared", "back", "given back"],
    ["shared", "out", "forgotten"],
  ]);
}

export function keyOfRequests() {
  return key([
    ["used color0", "A", "runs, and gets tokens in each step"],
    ["empty", "A", "waits for blocks"],
  ]);
}

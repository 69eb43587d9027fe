// A CUDA program: its source with what each line costs, the worst access of a line drawn, and the
// first block of each kernel, step by step.

import { drawn, element, plural } from "../../base/page/dom.js";
import { sourceView, trafficText } from "../../base/page/source.js";
import "./cuda.css";

const kLanes = 32;
const kSectorBytes = 32;
const kBankBytes = 4;
const kLaneWidth = 20; // in the drawing's own units, as all lengths here
const kGap = 90;

function box(at, width, y, label, kind) {
  return [
    drawn("rect", { x: at + 1, y, width: width - 2, height: 18, class: kind }),
    drawn("text", { x: at + width / 2, y: y + 13, class: `text ${kind}` }, label),
  ];
}

function middleOf(at, width) {
  return at * width + width / 2;
}

// The pieces of memory in which the bytes of a lane are, as numbers from the beginning.
function piecesOf(byte, width, pieceBytes) {
  const last = Math.floor((byte + width - 1) / pieceBytes);
  const first = Math.floor(byte / pieceBytes);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function linesTo(bytes, ends) {
  return bytes.flatMap((byte, lane) => (byte === null ? [] : ends(byte).map((x) =>
    drawn("line", { x1: middleOf(lane, kLaneWidth), y1: 20, x2: x, y2: 20 + kGap }))));
}

function picture(label, bytes, lines, boxes) {
  const lanes = bytes.map((byte, lane) =>
    box(lane * kLaneWidth, kLaneWidth, 1, lane, byte === null ? "idle" : "lane"));
  return drawn("svg", { viewBox: `0 0 ${kLanes * kLaneWidth} ${kGap + 42}`, role: "img",
    "aria-label": label }, lines, lanes, boxes);
}

// The sectors that a request moves, in the order of addresses.
function sectorPicture({ width, example }, label) {
  const wanted = example.bytes.filter((byte) => byte !== null);
  const sectors = [...new Set(wanted.flatMap((byte) => piecesOf(byte, width, kSectorBytes)))]
    .sort((a, b) => a - b);
  const boxWidth = Math.min((kLanes * kLaneWidth) / sectors.length, 4 * kLaneWidth);
  const ends = (byte) => piecesOf(byte, width, kSectorBytes)
    .map((sector) => middleOf(sectors.indexOf(sector), boxWidth));
  const labelOf = (sector) => (sectors.length > 16 ? "" : sector * kSectorBytes);
  const boxes = sectors.map((sector, at) =>
    box(at * boxWidth, boxWidth, 20 + kGap, labelOf(sector), "piece"));
  return picture(label, example.bytes, linesTo(example.bytes, ends), boxes);
}

// The banks of shared memory, with how many words each has to give.
function bankPicture({ width, example }, label) {
  const words = new Set();
  const bankOf = (word) => word % kLanes;
  for (const byte of example.bytes) {
    if (byte !== null) piecesOf(byte, width, kBankBytes).forEach((word) => words.add(word));
  }
  const counts = Array(kLanes).fill(0);
  for (const word of words) ++counts[bankOf(word)];
  const ends = (byte) => piecesOf(byte, width, kBankBytes)
    .map((word) => middleOf(bankOf(word), kLaneWidth));
  const kindOf = (count) =>
    (count === 0 ? "idle" : count > 1 && width <= kBankBytes ? "crowded" : "piece");
  const boxes = counts.map((count, bank) =>
    box(bank * kLaneWidth, kLaneWidth, 20 + kGap, count || "", kindOf(count)));
  return picture(label, example.bytes, linesTo(example.bytes, ends), boxes);
}

function accessView(access) {
  const { kernel, line, is_shared: isShared, width, example } = access;
  const numLanes = example.bytes.filter((byte) => byte !== null).length;
  const cost = plural(example.cost, isShared ? "wavefront" : "sector");
  const size = `${width} byte${width === 1 ? "" : "s"}`;
  const label = `${plural(numLanes, "lane")}, ${size} each: ${cost}, at least ${example.ideal}`;
  const column = isShared
    ? { unit: "wavefronts", memory: "shared" } : { unit: "sectors", memory: "device" };
  return element("figure", { class: "access" },
    element("figcaption", {}, `${kernel}, line ${line}, ${trafficText(access, column)}. ` +
      `The worst request: ${label}.`),
    (isShared ? bankPicture : sectorPicture)(access, label),
    element("p", { class: "legend" }, isShared
      ? "Above, the lanes; below, the 32 banks, with the number of words that each has to give."
      : "Above, the lanes; below, the sectors of 32 bytes that move, with their first bytes."));
}

// What the reader has chosen: a line of a file, with the accesses that it makes.
class AccessPanel {
  constructor() {
    this.root = element("section", { class: "panel accesses", "aria-live": "polite",
      "aria-label": "Accesses of one line" });
  }

  show(traffic) {
    const withExample = traffic.filter(({ example }) => example);
    this.root.replaceChildren(element("h4", {}, "One request of a warp"),
      ...withExample.map(accessView));
  }
}

function laneRow(warp, lanes) {
  const cells = Array.from({ length: kLanes }, (_, lane) =>
    element("span", { class: (lanes >>> lane) & 1 ? "on" : "" }));
  return element("div", { class: "warp" }, element("span", { class: "name" }, `warp ${warp}`),
    element("span", { class: "lanes" }, cells));
}

// A kernel's first block: which lanes of which warp run which line.
class Steps {
  constructor(kernel, listings) {
    this.steps = kernel.first_steps;
    this.listings = listings;
    this.warps = [...new Set(this.steps.map(([warp]) => warp))].sort((a, b) => a - b);
    this.at = 0;
    this.slider = element("input", { type: "range", min: 0, max: this.steps.length - 1, value: 0,
      "aria-label": "step", input: () => this.go(Number(this.slider.value)) });
    this.view = element("div", { class: "now" });
    const button = (text, by) =>
      element("button", { type: "button", click: () => this.go(this.at + by) }, text);
    this.root = element("section", { class: "panel block-steps" },
      element("h4", {}, `The first block of ${kernel.name}`),
      element("div", { class: "controls" }, button("Back", -1), button("Next", 1), this.slider),
      this.view);
    this.go(0);
  }

  go(at) {
    this.at = Math.min(Math.max(at, 0), this.steps.length - 1);
    this.slider.value = this.at;
    const [warp, lanes, file, line] = this.steps[this.at];
    const count = Array.from({ length: kLanes }, (_, lane) => (lanes >>> lane) & 1)
      .reduce((sum, bit) => sum + bit, 0);
    const text = `Step ${this.at + 1} of ${this.steps.length}: ${plural(count, "lane")} ` +
      `of warp ${warp}, line ${line}.`;
    this.view.replaceChildren(element("p", { class: "where" }, text),
      ...this.warps.map((each) => laneRow(each, each === warp ? lanes : 0)),
      this.sourceAround(this.listings[file], line));
  }

  sourceAround({ file, lines }, line) {
    const first = Math.max(1, line - 3);
    return sourceView({ file, first, lines: lines.slice(first - 1, line + 3), mark: line });
  }
}

function kernelRow(kernel) {
  const kilobytes = (bytes) =>
    `${(bytes / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} kB`;
  const lanes = kernel.steps ? (kernel.active_lanes / kernel.steps).toFixed(1) : "";
  const cells = [kernel.launches, kilobytes(kernel.bytes_requested), kilobytes(kernel.bytes_moved),
    kilobytes(kernel.bytes_unique), lanes];
  return element("tr", {}, element("th", { scope: "row" }, kernel.name),
    cells.map((text) => element("td", { class: "score" }, `${text}`)));
}

function kernelTable(kernels) {
  const names = ["kernel", "launches", "asked for", "moved", "different", "lanes at work"];
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "kernels" },
    element("table", { class: "tally" },
      element("thead", {},
        element("tr", {}, names.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, kernels.map(kernelRow))));
}

const kCudaLegend = "What each line moves: sectors of device memory, 32 bytes each, and " +
  "wavefronts of shared memory; ×: how many times the least that could hold the bytes. Lanes: how " +
  "many of 32 take part. A line's number shows its worst request.";

function worstAccess({ traffic }) {
  const excess = ({ example }) => example.cost / example.ideal;
  return traffic.filter(({ example }) => example).sort((a, b) => excess(b) - excess(a))[0];
}

export function cudaView(data) {
  const panel = new AccessPanel();
  const pick = (listing) => (line) =>
    panel.show(listing.traffic.filter((access) => access.line === line));
  const kernels = data.kernels.filter(({ first_steps: steps }) => steps.length > 0);
  const first = data.listings.map(worstAccess).find(Boolean);
  if (first) panel.show([first]);
  return [
    element("p", { class: "subtitle" },
      `${plural(data.num_findings, "finding")}, checked with ${data.checked_with.join(" and ")}`),
    data.kernels.length > 0 ? kernelTable(data.kernels) : null,
    element("p", { class: "legend" }, kCudaLegend),
    element("div", { class: "cuda-columns" },
      element("div", {}, data.listings.map((listing) =>
        element("section", {}, element("p", { class: "file" }, listing.file),
          sourceView({ ...listing, pick: pick(listing) })))),
      element("div", { class: "beside" }, panel.root,
        kernels.map((kernel) => new Steps(kernel, data.listings).root))),
  ].filter(Boolean);
}

// Lines of a source file, with what was found and counted at them.

import { element } from "./dom.js";

// What the requests of a line move, a column for each kind of memory.
const kHeatColumns = [
  { unit: "sectors", memory: "device", isShared: false },
  { unit: "wavefronts", memory: "shared", isShared: true },
];

// The columns for which anything was counted, with the most that a line moves.
function heatColumns(traffic) {
  return kHeatColumns.map((column) => {
    const own = traffic.filter(({ is_shared }) => is_shared === column.isShared);
    const most = Math.max(0, ...own.map(({ line }) => sumOf(atLine(own, line), "moved")));
    return { ...column, traffic: own, most };
  }).filter(({ most }) => most > 0);
}

function atLine(items, line) {
  return items.filter((item) => item.line === line);
}

function sumOf(traffic, name) {
  return traffic.reduce((total, access) => total + access[name], 0);
}

// "reads 4 bytes a lane of device memory: 96 requests, 3072 sectors, at least 96"
export function trafficText({ is_read, width, requests, moved, least }, { unit, memory }) {
  return `${is_read ? "reads" : "writes"} ${width} bytes a lane of ${memory} memory: ` +
    `${requests} requests, ${moved} ${unit}, at least ${least}`;
}

function heatCell(column, line) {
  const traffic = atLine(column.traffic, line);
  if (traffic.length === 0) return element("td", { class: "heat" });
  const [moved, least] = ["moved", "least"].map((name) => sumOf(traffic, name));
  const label = traffic.map((access) => trafficText(access, column)).join("; ");
  const excess = moved > least ? ` · ${(moved / least).toFixed(1)}×` : "";
  const cell = element("td", { class: "heat", title: label, "aria-label": label },
    `${moved.toLocaleString("en")}${excess}`);
  cell.style.setProperty("--share", (moved / column.most).toFixed(3));
  return cell;
}

// How many lanes take part, the darker the fewer.
function lanesCell(traffic, line) {
  const own = atLine(traffic, line);
  if (own.length === 0) return element("td", { class: "heat" });
  const lanes = sumOf(own, "lanes") / sumOf(own, "requests");
  const label = `${lanes.toFixed(1)} of 32 lanes take part`;
  const cell = element("td", { class: "heat", title: label, "aria-label": label }, lanes.toFixed(1));
  cell.style.setProperty("--share", (1 - lanes / 32).toFixed(3));
  return cell;
}

// A number that shows more of its line, if there is more.
function lineNumber(line, traffic, pick) {
  if (!pick || atLine(traffic, line).length === 0) return `${line}`;
  return element("button", { type: "button", class: "line", click: () => pick(line),
    "aria-label": `line ${line}: its worst request` }, `${line}`);
}

function findingRow(finding, numColumns) {
  const text = [`${finding.kind}, in ${finding.where}`, finding.what, finding.means].join("\n");
  return element("tr", { class: "finding" },
    element("td", { colspan: numColumns },
      element("div", {}, element("span", { class: "mark" }, "▲ "), text)));
}

function headRow(columns, hasLanes) {
  const names = [...columns.map(({ unit }) => unit), ...(hasLanes ? ["lanes"] : []), "line", ""];
  return element("thead", {},
    element("tr", {}, names.map((name) => element("th", { scope: "col" }, name))));
}

// listing: {file, first, lines, mark, findings, traffic}. mark: the line of the failure, or 0.
// pick: is called with a line that has traffic, when a reader chooses it.
export function sourceView({ file, first, lines, mark, findings = [], traffic = [], pick = null }) {
  const columns = heatColumns(traffic);
  const hasLanes = traffic.some(({ lanes }) => lanes !== undefined);
  const rows = lines.flatMap((text, offset) => {
    const line = first + offset;
    const found = atLine(findings, line);
    const row = element("tr", { class: line === mark || found.length > 0 ? "marked" : "" },
      columns.map((column) => heatCell(column, line)),
      hasLanes ? lanesCell(traffic, line) : null,
      element("th", { scope: "row" }, lineNumber(line, traffic, pick)),
      element("td", { class: "code" }, text || " "));
    return [row, ...found.map((finding) => findingRow(finding, columns.length + 2 + hasLanes))];
  });
  return element("div", { class: "source scroll", tabindex: 0, role: "region", "aria-label": file },
    element("table", {}, columns.length > 0 ? headRow(columns, hasLanes) : null,
      element("tbody", {}, rows)));
}

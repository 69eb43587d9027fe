// Reads what ./lab has put into the page, and draws it.

import { classView } from "./class.js";
import { cudaView } from "./cuda.js";
import { element } from "./dom.js";
import { logOfLines } from "./log.js";
import { Player } from "./player.js";
import { poolView } from "./pool.js";
import { reportView } from "./report.js";
import { pairView, similarView } from "./similar.js";

function textIn(id) {
  return document.getElementById(id).textContent;
}

// Light or dark: as the system says, until the reader chooses.
function themeSwitch() {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const button = element("button", { type: "button", class: "theme", click: () => choose() });
  const draw = () => (button.textContent = isDark() ? "Light" : "Dark");
  const choose = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    draw();
  };
  system.addEventListener("change", draw);
  draw();
  return button;
}

function header(title) {
  return element("header", {}, element("h1", {}, title), themeSwitch());
}

// An event log fills the window, so its keys work everywhere in it.
function playView(data) {
  const player = new Player(logOfLines(textIn("log")));
  document.addEventListener("keydown", (event) => {
    if (!player.root.contains(event.target)) player.onKey(event);
  });
  return [element("p", { class: "subtitle" }, data.subtitle), player.root];
}

const kViews = { report: reportView, class: classView, similar: similarView, pair: pairView,
  play: playView, pool: poolView, cuda: cudaView };

function main() {
  const data = JSON.parse(textIn("data"));
  const content = kViews[data.kind](data);
  document.body.classList.add(data.kind);
  document.body.append(header(data.title), element("main", {}, content));
}

main();

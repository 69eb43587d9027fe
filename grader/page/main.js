// Reads what ./lab has put into the page, and draws it.

import { classView } from "./class.js";
import { element } from "./dom.js";
import { logOfLines } from "./log.js";
import { Player } from "./player.js";
import { poolView } from "./pool.js";
import { reportView } from "./report.js";
import { pairView, similarView } from "./similar.js";
import { themeSwitch } from "./theme.js";

function textIn(id) {
  return document.getElementById(id).textContent;
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
  play: playView, pool: poolView };

function main() {
  const data = JSON.parse(textIn("data"));
  const content = kViews[data.kind](data);
  document.body.classList.add(data.kind);
  document.body.append(header(data.title), element("main", {}, content));
}

main();

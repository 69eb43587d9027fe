import { element } from "../../base/page/dom.js";
import { drawPage, textIn } from "../../base/page/frame.js";
import { logOfLines } from "./log.js";
import { Player } from "./player.js";
import { reportView } from "./report.js";

// An event log fills the window, so its keys work everywhere in it.
function playView(data) {
  const player = new Player(logOfLines(textIn("log")));
  document.addEventListener("keydown", (event) => {
    if (!player.root.contains(event.target)) player.onKey(event);
  });
  return [element("p", { class: "subtitle" }, data.subtitle), player.root];
}

drawPage({ report: reportView, play: playView });

// Reads what a program has put into the page, and draws it.

import { element } from "./dom.js";
import "./page.css";

export function textIn(id) {
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

// views: a function for each kind of page, from its data to what is drawn.
export function drawPage(views) {
  const data = JSON.parse(textIn("data"));
  const content = views[data.kind](data);
  document.body.classList.add(data.kind);
  document.body.append(header(data.title), element("main", {}, content));
}

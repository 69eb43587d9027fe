// Light or dark: as the system says, until the reader chooses.

import { element } from "./dom.js";

export function themeSwitch() {
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

// The requests of an engine, and what each has said.

import { markOfRequest } from "./changes.js";
import { element, panel, plural } from "../../base/page/dom.js";

const kMostLetters = 90;  // a longer prompt shows its end

const kEnds = { stop: "has ended", length: "has all its tokens", abort: "was given up" };

function endOf(text) {
  return text.length > kMostLetters ? `… ${text.slice(1 - kMostLetters)}` : text;
}

function noteOf(request) {
  const state = request.state === "finished" ? kEnds[request.finish_reason] : request.state;
  const parts = [state, plural(request.num_output_tokens, "token")];
  if (request.num_cached_tokens > 0) {
    parts.push(`${request.num_cached_tokens} of ${request.num_prompt_tokens} found in the cache`);
  }
  if (request.num_preemptions > 0) parts.push(`preempted ${request.num_preemptions}×`);
  return parts.join(" · ");
}

function answer(request) {
  return element("li", { class: `answer ${request.state}`, "data-name": request.name },
    element("b", { class: `letter${markOfRequest(request.name)}` }, request.name),
    element("div", { class: "text" }, element("p", {},
      element("span", { class: "prompt" }, endOf(request.prompt)),
      element("span", { class: "output" }, request.output))),
    element("p", { class: "note" }, noteOf(request)));
}

// In the order of their letters, so that none moves while it grows.
export function answersPanel(requests) {
  const byName = ({ name: left }, { name: right }) =>
    left.length - right.length || left.localeCompare(right);
  const items = [...requests].sort(byName).map(answer);
  const none = element("p", { class: "none" },
    "No request yet. Press a button, or call the server.");
  return panel("Answers", "answers",
    items.length > 0 ? element("ol", { class: "list" }, items) : none);
}

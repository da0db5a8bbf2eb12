// The requests behind a figure, as addresses, commands and Python.

import { useSignal } from "@preact/signals";
import { addressOf } from "../api.js";
import { element, part } from "../dom.js";
import { copyText } from "./clipboard.js";
import { panelled } from "./popover.js";

/** @import { paths } from "openapi" */
/** @import { Values } from "../api.js" */
/**
 * @typedef {object} Call
 * @property {keyof paths} template
 * @property {Values} [path]
 * @property {Values} [query]
 * @property {boolean} [isPublic] True if it needs no key.
 */

/** @param {string} url @param {boolean} [isPublic] */
function curl(url, isPublic) {
  return `curl ${isPublic ? "" : '-H "X-API-Key: $SPORTS_API_KEY" '}'${url}'`;
}

/** @param {string} url @param {boolean} [isPublic] */
function python(url, isPublic) {
  const headers = isPublic ? "" : ', headers={"X-API-Key": os.environ["SPORTS_API_KEY"]}';
  return [
    `import json, ${isPublic ? "" : "os, "}urllib.request`,
    `request = urllib.request.Request("${url}"${headers})`,
    "answer = json.load(urllib.request.urlopen(request))",
  ].join("\n");
}

/**
 * Returns the commands that request what a figure shows, one a line.
 * @param {Call[]} calls
 */
export function commands(calls) {
  return calls.map((call) => curl(urlOf(call), call.isPublic)).join("\n");
}

/** @param {Call} call */
function urlOf({ template, path = {}, query = {} }) {
  return addressOf(template, path, query).href;
}

/**
 * Builds the button that shows the requests of a figure.
 * @param {string} id
 * @param {Call[]} calls
 */
export function callsButton(id, calls) {
  const described = calls.map((call) => {
    const url = urlOf(call);
    return element(
      "section",
      {},
      element("p", {}, element("code", { class: "address" }, url)),
      part(Snippet, { name: "curl", text: curl(url, call.isPublic) }),
      part(Snippet, { name: "Python", text: python(url, call.isPublic) }),
    );
  });
  return panelled({
    button: { class: "action", id: `api-${id}` },
    name: "As an API call",
    panel: { class: "panel calls" },
    content: described,
  });
}

/**
 * A text with the button that copies it.
 * @param {{ name: string, text: string }} snippet
 */
function Snippet({ name, text }) {
  const progress = useSignal("");
  const copy = async () => {
    progress.value = await copyText(text);
  };
  const button = { type: "button", class: "action", "aria-label": `Copy as ${name}`, on: { click: () => void copy() } };
  return [
    element(
      "p",
      { class: "snippet" },
      element("strong", {}, name),
      element("button", button, "Copy"),
      element("span", { role: "status" }, progress),
    ),
    element("pre", { tabindex: "0", "aria-label": name }, text),
  ];
}

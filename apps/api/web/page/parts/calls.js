// The requests behind a figure, as addresses, commands and Python.

import { addressOf } from "../api.js";
import { element } from "../dom.js";
import { copyText } from "./clipboard.js";
import { attach } from "./popover.js";

/** @import { paths } from "openapi" */
/** @import { Child } from "../dom.js" */
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
 * @returns {Child[]}
 */
export function callsButton(id, calls) {
  const button = element("button", { type: "button", class: "action", id: `api-${id}` }, "As an API call");
  const described = calls.map((call) => {
    const url = urlOf(call);
    return element(
      "section",
      {},
      element("p", {}, element("code", { class: "address" }, url)),
      ...snippet("curl", curl(url, call.isPublic)),
      ...snippet("Python", python(url, call.isPublic)),
    );
  });
  return [button, attach(button, element("div", { class: "panel calls" }, described))];
}

/**
 * Builds a text with the button that copies it.
 * @param {string} name
 * @param {string} text
 */
function snippet(name, text) {
  const progress = element("span", { role: "status" });
  const copy = async () => {
    progress.textContent = await copyText(text);
  };
  const button = { type: "button", class: "action", "aria-label": `Copy as ${name}`, on: { click: () => void copy() } };
  return [
    element("p", { class: "snippet" }, element("strong", {}, name), element("button", button, "Copy"), progress),
    element("pre", { tabindex: "0", "aria-label": name }, text),
  ];
}

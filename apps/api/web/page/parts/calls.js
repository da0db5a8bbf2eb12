// The requests behind a figure, as addresses, commands and Python.

import { addressOf } from "../api.js";
import { element } from "../dom.js";
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
 * Builds the button that shows the requests of a figure.
 * @param {string} id
 * @param {Call[]} calls
 * @returns {Child[]}
 */
export function callsButton(id, calls) {
  const button = element("button", { type: "button", class: "action", id: `api-${id}` }, "As an API call");
  const described = calls.map(({ template, path = {}, query = {}, isPublic }) => {
    const url = addressOf(template, path, query).href;
    return element(
      "section",
      {},
      element("p", {}, element("code", { class: "address" }, url)),
      element("pre", { tabindex: "0", "aria-label": "curl" }, curl(url, isPublic)),
      element("pre", { tabindex: "0", "aria-label": "Python" }, python(url, isPublic)),
    );
  });
  return [button, attach(button, element("div", { class: "panel calls" }, described))];
}

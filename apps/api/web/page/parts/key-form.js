// The form of the key, which is kept in the tab.

import { write } from "../address.js";
import { element, fieldOf } from "../dom.js";
import { entryProblem } from "../entry.js";
import { isRefused, keep, key } from "../key.js";
import { site } from "../site.js";

/** @import { Address } from "../address.js" */

/**
 * Builds a form for a key, or the state of the kept key.
 * @param {string} id The unique id of the field on the page.
 */
export function keyForm(id) {
  if (key() !== null) {
    const forget = { type: "button", id: `${id}-forget`, on: { click: () => keep(null) } };
    const state = isRefused()
      ? element("strong", { class: "alert" }, "The key was not accepted. ")
      : element("span", { class: "state" }, "A key is in use in this tab. ");
    return element("p", { class: "key-form" }, state, element("button", forget, "Forget the key"));
  }
  const input = (/** @type {Event} */ event) => {
    const field = fieldOf(event);
    const isSendable = /^[\x21-\x7e]*$/.test(field.value.trim());
    field.setCustomValidity(isSendable ? "" : "This is no API key: keys are letters, digits and signs of plain ASCII.");
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (
      /** @type {HTMLFormElement} */ (event.currentTarget).elements.namedItem("key")
    );
    const typed = field.value.trim();
    field.value = "";
    if (typed) {
      keep(typed);
    }
  };
  const problem = entryProblem();
  return element(
    "form",
    { class: "key-form", on: { submit } },
    problem && element("p", { class: "alert", role: "alert" }, `${problem}.`),
    element("label", { for: id }, "API key"),
    element("input", {
      ...{ id, type: "password", name: "key", required: true, placeholder: "sk_service_…" },
      ...{ autocomplete: "off", spellcheck: "false", on: { input } },
    }),
    element("button", { type: "submit", id: `${id}-use` }, "Use"),
  );
}

/** The state of a server that does not answer. */
const UNKNOWN = { contact: null, simulated: false };

/** Describes how a person gets a key from the operator. */
export async function howToGetAKey() {
  const { contact, simulated } = await site().catch(() => UNKNOWN);
  const demo = simulated && " A demo prints one when it starts.";
  if (!contact) {
    return element("span", { class: "contact" }, "Whoever runs this server gives out keys.", demo);
  }
  const href = /^https?:\/\/\S+$/.test(contact) ? contact : /^\S+@\S+$/.test(contact) && `mailto:${contact}`;
  const name = href ? element("a", { href, rel: "noreferrer" }, contact) : contact;
  return element("span", { class: "contact" }, "A key for all data: ", name, ".", demo);
}

/**
 * Builds the content of a view without a key.
 * @param {Address} address
 * @param {string} [title]
 */
export async function keyNeeded(address, title = "This part needs an API key") {
  const link = (/** @type {string} */ view, /** @type {string} */ text) =>
    element("a", { href: write(address, { view }) }, text);
  return element(
    "section",
    { class: "notice", id: "key-needed", "aria-labelledby": "key-needed-title" },
    element("h2", { id: "key-needed-title" }, title),
    element(
      "p",
      {},
      await howToGetAKey(),
      " The key is kept in this tab until it is closed, and sent to this server alone.",
    ),
    keyForm("key-needed-field"),
    element(
      "p",
      {},
      "Without a key you can see ",
      link("freshness", "how fresh the data is"),
      ", ",
      link("today", "today's free picks"),
      ", ",
      link("record", "the record of releases"),
      " and, of a league with a public record, ",
      link("track-record", "its history"),
      ".",
    ),
  );
}

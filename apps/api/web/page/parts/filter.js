// A list of links with a field that filters it as one types.

import { useSignal } from "@preact/signals";
import { element, fieldOf, part, textOf } from "../dom.js";
import { count, counted } from "../format.js";

/** @import { Child } from "../dom.js" */
/** @typedef {{ id: string, link: Child }} Item */

/**
 * Builds the field and the list of the items that have its text. Their number is announced.
 * @param {string} name The name of the list.
 * @param {Item[]} items
 */
export function filtered(name, items) {
  return part(Filtered, { name, items });
}

/** @param {{ name: string, items: Item[] }} list */
function Filtered({ name, items }) {
  const typed = useSignal("");
  const text = typed.value.trim().toLowerCase();
  const isFound = items.map(({ link }) => textOf(link).toLowerCase().includes(text));
  const field = element("input", {
    id: `filter-${name.toLowerCase()}`,
    type: "search",
    placeholder: "Filter",
    "aria-label": `Filter: ${name}`,
    autocomplete: "off",
    spellcheck: "false",
    on: {
      input: (/** @type {Event} */ event) => (typed.value = fieldOf(event).value),
    },
  });
  const left = isFound.filter(Boolean).length;
  const remaining = `${text ? `${count(left)} of ` : ""}${counted(items.length, "model")}`;
  return [
    element("span", { class: "filter" }, field, " ", element("span", { role: "status" }, remaining)),
    element(
      "ul",
      {},
      items.map(({ id, link }, place) => element("li", { key: id, hidden: !isFound[place] }, link)),
    ),
  ];
}

// A field that filters a list of links as one types.

import { element } from "../dom.js";
import { count, counted } from "../format.js";

/**
 * The texts of the fields, which stay when a picker is rebuilt.
 * @type {Map<string, string>}
 */
const typed = new Map();

/**
 * Builds the field that hides the items without its text. The number of remaining items is announced.
 * @param {string} name The name of the list.
 * @param {HTMLElement[]} items
 */
export function filterOf(name, items) {
  const id = `filter-${name.toLowerCase()}`;
  const remaining = element("span", { role: "status" });
  const field = element("input", {
    id,
    type: "search",
    value: typed.get(name) ?? "",
    placeholder: "Filter",
    "aria-label": `Filter: ${name}`,
    autocomplete: "off",
    spellcheck: "false",
  });
  const filter = () => {
    const text = field.value.trim().toLowerCase();
    typed.set(name, field.value);
    items.forEach((item) => (item.hidden = !item.textContent.toLowerCase().includes(text)));
    const left = items.filter((item) => !item.hidden).length;
    remaining.textContent = `${text ? `${count(left)} of ` : ""}${counted(items.length, "model")}`;
  };
  field.addEventListener("input", filter);
  filter();
  return element("span", { class: "filter" }, field, " ", remaining);
}

// Menus of links: a button that names the choice, and a panel with all choices.

import { element } from "../dom.js";
import { panelled } from "./popover.js";

/** @import { Child } from "../dom.js" */

/**
 * @param {string} name
 * @param {Child[]} chosen The choice, as the button shows it.
 * @param {Child[]} content The links.
 * @param {boolean} [staysOpen] True if several links may be chosen one after the other.
 */
export function menu(name, chosen, content, staysOpen = false) {
  const id = `menu-${name.toLowerCase()}`;
  const click = (/** @type {MouseEvent} */ event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link && !staysOpen) {
      const panel = /** @type {HTMLElement} */ (event.currentTarget);
      // The focus stays on what remains.
      document.getElementById(id)?.focus();
      panel.hidePopover();
    }
  };
  const onOpen = (/** @type {HTMLElement} */ panel) => {
    if (!panel.contains(document.activeElement)) {
      panel.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }
  };
  const opens = panelled({
    button: { id, class: "menu" },
    name: [element("small", {}, name), " ", element("span", { class: "choice" }, chosen)],
    panel: { class: "panel choices", id: `${id}-panel`, on: { click } },
    content,
    onOpen,
  });
  return element("nav", { class: "picker", key: name, "aria-label": name }, opens);
}

// Menus of links: a button that names the choice, and a panel with all choices.

import { element } from "../dom.js";
import { attach } from "./popover.js";

/** @import { Child } from "../dom.js" */

/**
 * The menu that stays open when its view is rebuilt, and the link in it that was used.
 * @type {{ name: string, link: string } | null}
 */
let kept = null;

/**
 * @param {string} name
 * @param {Child[]} chosen The choice, as the button shows it.
 * @param {Child[]} content The links.
 * @param {boolean} [staysOpen] True if several links may be chosen one after the other.
 */
export function menu(name, chosen, content, staysOpen = false) {
  const id = `menu-${name.toLowerCase()}`;
  const button = element(
    "button",
    { type: "button", id, class: "menu" },
    element("small", {}, name),
    " ",
    element("span", { class: "choice" }, chosen),
  );
  const panel = attach(button, element("div", { class: "panel choices", id: `${id}-panel` }, content));
  panel.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link && staysOpen) {
      kept = { name, link: link.id };
    } else if (link) {
      // The focus stays on what remains.
      button.focus();
      panel.hidePopover();
    }
  });
  panel.addEventListener("toggle", (event) => {
    const isOpen = /** @type {ToggleEvent} */ (event).newState === "open";
    const current = panel.querySelector("[aria-current]");
    if (isOpen && current && !panel.contains(document.activeElement)) {
      current.scrollIntoView({ block: "nearest" });
    }
  });
  if (staysOpen && kept?.name === name) {
    const { link } = kept;
    kept = null;
    requestAnimationFrame(() => {
      if (panel.isConnected) {
        panel.showPopover();
        document.getElementById(link)?.focus();
      }
    });
  }
  return element("nav", { class: "picker", "aria-label": name }, button, panel);
}

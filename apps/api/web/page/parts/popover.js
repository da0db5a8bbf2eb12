// Panels that open beside their button, and close with Escape or a click elsewhere.

import { element } from "../dom.js";

/** @import { Child } from "../dom.js" */

let made = 0;

/** The least distance of a panel from the edges of the window. */
const MARGIN = 8;

/**
 * Attaches a panel to its button, which opens and closes it.
 * @template {HTMLElement} P
 * @param {HTMLButtonElement} button
 * @param {P} panel
 * @returns {P}
 */
export function attach(button, panel) {
  made += 1;
  panel.id ||= `panel-${made}`;
  panel.setAttribute("popover", "auto");
  button.setAttribute("popovertarget", panel.id);
  button.setAttribute("aria-expanded", "false");
  panel.addEventListener("toggle", (event) => {
    const isOpen = /** @type {ToggleEvent} */ (event).newState === "open";
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) {
      place(button, panel);
    }
  });
  return panel;
}

/**
 * Places a panel below its button, within the window.
 * @param {HTMLElement} button
 * @param {HTMLElement} panel
 */
function place(button, panel) {
  const at = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const room = document.documentElement;
  const left = Math.max(MARGIN, Math.min(at.left, room.clientWidth - width - MARGIN));
  const isAbove = at.bottom + height > room.clientHeight && at.top > height;
  const top = isAbove ? at.top - height - 4 : at.bottom + 4;
  panel.style.left = `${left + scrollX}px`;
  panel.style.top = `${top + scrollY}px`;
}

/**
 * Builds a button that explains a term.
 * @param {string} term
 * @param {string} meaning
 * @returns {Child[]}
 */
export function explanation(term, meaning) {
  const button = element(
    "button",
    { type: "button", class: "explain", "aria-label": `What does “${term}” mean?` },
    "?",
  );
  const panel = attach(button, element("div", { class: "panel tip" }, element("strong", {}, term), " ", meaning));
  return [button, panel];
}

// Panels that open beside their button, and close with Escape or a click elsewhere.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { element, part } from "../dom.js";

/** @import { Attributes, Child, Children, Part } from "../dom.js" */
/**
 * @typedef {object} Panelled
 * @property {Attributes} button
 * @property {Children} name What the button says.
 * @property {Attributes} panel
 * @property {Children} content
 * @property {(panel: HTMLElement) => void} [onOpen]
 */

/** The number of panels so far: `useId` begins anew at each drawing of the page. */
let made = 0;

/** The least distance of a panel from the edges of the window. */
const MARGIN = 8;

/**
 * Builds a button with the panel that it opens and closes.
 * @param {Panelled} content
 * @returns {Part}
 */
export function panelled(content) {
  return part(Panelled, { ...content, key: content.button.id });
}

/** @param {Panelled} content */
function Panelled({ button, name, panel, content, onOpen }) {
  const own = useRef(0);
  own.current ||= ++made;
  const isOpen = useSignal(false);
  const opener = useRef(/** @type {HTMLElement | null} */ (null));
  const id = panel.id ?? `panel-${own.current}`;
  const toggle = (/** @type {ToggleEvent} */ event) => {
    isOpen.value = event.newState === "open";
    if (isOpen.value && opener.current) {
      const opened = /** @type {HTMLElement} */ (event.currentTarget);
      place(opener.current, opened);
      onOpen?.(opened);
    }
  };
  return [
    element(
      "button",
      { type: "button", ...button, ref: opener, popovertarget: id, "aria-expanded": String(isOpen.value) },
      name,
    ),
    element("div", { ...panel, id, popover: "auto", on: { ...panel.on, toggle } }, content),
  ];
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
 * @returns {Child}
 */
export function explanation(term, meaning) {
  return panelled({
    button: { class: "explain", "aria-label": `What does “${term}” mean?` },
    name: "?",
    panel: { class: "panel tip" },
    content: [element("strong", {}, term), " ", meaning],
  });
}

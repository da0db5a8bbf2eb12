// A part of a view that is requested once a person gets to it: what nobody looks at costs no requests.

import { element, replace } from "../dom.js";
import { later } from "./later.js";

/** @import { Child } from "../dom.js" */
/** @import { Place } from "./later.js" */

/** The signs of a person at the page. */
const SIGNS = ["scroll", "wheel", "touchstart", "keydown", "pointerdown"];

/**
 * Builds a part that is requested when it is in view and a person has done something, or by its button.
 * @template T
 * @param {Place} of
 * @param {string} name The text of the button.
 * @param {() => Promise<T>} ask
 * @param {(answer: T) => Child[]} show
 */
export function whenSeen(of, name, ask, show) {
  const begin = () => {
    if (!isBegun) {
      isBegun = true;
      seen.disconnect();
      replace(place, later(of, ask, show));
    }
  };
  let isBegun = false;
  let isHere = false;
  let isInView = false;
  const button = element("button", { type: "button", class: "action", id: "see-more", on: { click: begin } }, name);
  const place = element("div", { class: "when-seen" }, button);
  const consider = () => isHere && isInView && begin();
  const seen = new IntersectionObserver(
    (entries) => {
      isInView = entries.some(({ isIntersecting }) => isIntersecting);
      consider();
    },
    { rootMargin: "200px" },
  );
  seen.observe(place);
  const arrive = () => {
    isHere = true;
    consider();
  };
  SIGNS.forEach((sign) => addEventListener(sign, arrive, { signal: of.signal, passive: true }));
  of.signal.addEventListener("abort", () => seen.disconnect());
  return place;
}

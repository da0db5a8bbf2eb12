// A part of a view that is requested once a person gets to it: what nobody looks at costs no requests.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { write } from "../address.js";
import { element, part } from "../dom.js";
import { later } from "./later.js";

/** @import { Children } from "../dom.js" */
/** @import { Place } from "./later.js" */

/** The signs of a person at the page. */
const SIGNS = ["scroll", "wheel", "touchstart", "keydown", "pointerdown"];

/**
 * Builds a part that is requested when it is in view and a person has done something, or by its button.
 * @template T
 * @param {Place} of
 * @param {string} name The text of the button.
 * @param {() => Promise<T>} ask
 * @param {(answer: T) => Children} show
 */
export function whenSeen(of, name, ask, show) {
  return part(WhenSeen, { of, name, ask, show, key: write(of.address) });
}

/** @param {{ of: Place, name: string, ask: () => Promise<any>, show: (answer: any) => Children }} content */
function WhenSeen({ of, name, ask, show }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const isBegun = useSignal(false);
  useEffect(() => {
    const gone = new AbortController();
    let isHere = false;
    let isInView = false;
    const consider = () => {
      isBegun.value ||= isHere && isInView;
    };
    const seen = new IntersectionObserver(
      (entries) => {
        isInView = entries.some(({ isIntersecting }) => isIntersecting);
        consider();
      },
      { rootMargin: "200px" },
    );
    if (place.current) {
      seen.observe(place.current);
    }
    const arrive = () => {
      isHere = true;
      consider();
    };
    SIGNS.forEach((sign) => addEventListener(sign, arrive, { signal: gone.signal, passive: true }));
    return () => {
      seen.disconnect();
      gone.abort();
    };
  }, [isBegun]);
  const begin = { type: "button", class: "action", id: "see-more", on: { click: () => (isBegun.value = true) } };
  return element(
    "div",
    { class: "when-seen", ref: place },
    isBegun.value ? later(of, ask, show) : element("button", begin, name),
  );
}

// A part of a view that is requested by itself, and does not delay the rest of the view.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { write } from "../address.js";
import { element, figureNamed, part } from "../dom.js";
import { isPassing, retryLater, trouble } from "./failure.js";

/** @import { Address } from "../address.js" */
/** @import { Child, Children } from "../dom.js" */
/** @typedef {{ address: Address, signal: AbortSignal }} Place The address of the view, and the end of its display; one for each answer. */

/**
 * Builds a part whose content appears with its answer. After a failure that passes, the request is repeated while the part
 * is on the page.
 * @template T
 * @param {Place} of
 * @param {() => Promise<T>} ask
 * @param {(answer: T) => Children} show
 * @param {Child} [former] What is displayed until then.
 */
export function later(of, ask, show, former) {
  // At another address it is another part, which has nothing to show yet.
  return part(Later, { of, ask, show, former, key: write(of.address) });
}

/** @param {{ of: Place, ask: () => Promise<any>, show: (answer: any) => Children, former: Child }} content */
function Later({ of, ask, show, former }) {
  const { address, signal } = of;
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const content = useSignal(/** @type {Children} */ ([element("p", { class: "note" }, "Loading…"), former]));
  const isBusy = useSignal(true);
  const isNew = useRef(true);
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const load = async () => {
      clearTimeout(timer);
      try {
        const answer = await ask();
        if (!isGone && !signal.aborted) {
          content.value = show(answer);
        }
      } catch (error) {
        if (isGone || signal.aborted) {
          return;
        }
        content.value = trouble(error, () => void load());
        if (isPassing(error)) {
          timer = retryLater(signal, () => void load(), error);
        }
      }
      isBusy.value = false;
    };
    void load();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
    // Each display of the view, or of a part that is renewed, asks once.
  }, [of]);
  useEffect(() => {
    if (isNew.current && !isBusy.value && place.current) {
      isNew.current = false;
      seek(address, place.current);
    }
  }, [isBusy.value]);
  return element("div", { class: "later", "aria-busy": isBusy.value && "true", ref: place }, content.value);
}

/**
 * Scrolls to the figure of the address if it has just appeared, unless the person has moved on.
 * @param {Address} address
 * @param {HTMLElement} place
 */
function seek({ options }, place) {
  const figure = options.get("figure");
  const found = figure && figureNamed(figure);
  if (found && place.contains(found) && scrollY === 0) {
    found.scrollIntoView();
  }
}

// A part of a view that is requested by itself, and does not delay the rest of the view.

import { element, figureNamed, replace } from "../dom.js";
import { isPassing, retryLater, trouble } from "./failure.js";

/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @typedef {{ address: Address, signal: AbortSignal }} Place The address of the view, and the end of its display. */

/**
 * Builds a part whose content appears with its answer. After a failure that passes, the request is repeated while the part
 * is on the page.
 * @template T
 * @param {Place} of
 * @param {() => Promise<T>} ask
 * @param {(answer: T) => Child[]} show
 * @param {Child} [former] What is displayed until then.
 */
export function later({ address, signal }, ask, show, former) {
  const loading = element("p", { class: "note" }, "Loading…");
  const place = element("div", { class: "later", "aria-busy": "true" }, loading, former);
  let timer = 0;
  const load = async () => {
    clearTimeout(timer);
    try {
      const answer = await ask();
      if (!signal.aborted) {
        replace(place, ...show(answer));
        seek(address, place);
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      replace(
        place,
        trouble(error, () => void load()),
      );
      if (isPassing(error)) {
        const again = () => place.isConnected && void load();
        timer = retryLater(signal, again, error);
      }
    }
    place.removeAttribute("aria-busy");
  };
  void load();
  return place;
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

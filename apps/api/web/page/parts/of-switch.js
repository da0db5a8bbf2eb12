// The switch between picks and bets.

import { write } from "../address.js";
import { element } from "../dom.js";
import { ofOf } from "../followed.js";

/** @import { Address } from "../address.js" */
/** @import { Of } from "../followed.js" */

/** @type {Record<Of, { text: string, meaning: string }>} */
const CHOICES = {
  picks: { text: "Picks", meaning: "The side to which the model gives more than one half" },
  bets: { text: "Bets", meaning: "The side of greater expected value at the recorded price, if that is above zero" },
};

/** Builds the links to both addresses of a view. @param {Address} address */
export function followSwitch(address) {
  const chosen = ofOf(address);
  const links = Object.entries(CHOICES).map(([of, { text, meaning }]) =>
    element(
      "a",
      {
        id: `of-${of}`,
        href: write(address, {}, { of: of === "picks" ? null : of, offset: null }),
        title: meaning,
        "aria-current": of === chosen && "true",
      },
      text,
    ),
  );
  return element("nav", { class: "of-switch", "aria-label": "Picks or bets" }, links);
}

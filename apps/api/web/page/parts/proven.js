// The sentence of the record: how many forecasts were published before the start, and what this browser has checked.

import { write } from "../address.js";
import { element } from "../dom.js";
import { count, counted } from "../format.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { CheckedChain } from "./chain-check.js" */
/** @typedef {Answer<"/api/v1/model-tracking/{sport}/{model_type}">} Tracking */

/**
 * @param {Address} address
 * @param {Tracking | null} tracking Null where the record cannot be read.
 * @param {CheckedChain | null} chain
 * @param {string} model
 */
export function proven(address, tracking, chain, model) {
  const found = tracking?.models.find((one) => one.model === model);
  const link = element("a", { href: write(address, { view: "record" }) }, "The record");
  return element(
    "p",
    {
      class: "proven",
      id: "proven",
      "data-broken": chain && !chain.isUnbroken,
      "data-recorded": found && found.recorded > found.games / 2,
    },
    ...(found ? published(found) : []),
    ...(chain ? checked(chain) : []),
    link,
  );
}

/** @param {Tracking["models"][number]} of */
function published({ games, recorded, proven: logged }) {
  const rest = games - recorded;
  const inLog = logged === recorded ? "all" : count(logged);
  return [
    element("strong", {}, `Published before the start: ${count(recorded)} of ${counted(games, "forecast")}`),
    recorded > 0 && `, ${inLog} of them in the signed log`,
    rest > 0 && `; ${count(rest)} imported, or recomputed later from earlier games only`,
    ". ",
  ];
}

/** @param {CheckedChain} chain */
function checked({ entries, isWhole, head, isUnbroken, simulated }) {
  const which = isWhole ? `All ${count(entries)} entries` : `The newest ${count(entries)} entries`;
  const text =
    entries === 1
      ? "The log has one entry, the head "
      : `${which} of the log ${isUnbroken ? "form an" : "are no"} unbroken chain up to head `;
  return [
    text,
    element("code", { title: head }, head.slice(0, 8)),
    ", checked in this browser just now",
    simulated && " (simulated)",
    ". ",
  ];
}

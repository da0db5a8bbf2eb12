// The status of a league's data, as a word and a colour.

import { element } from "../dom.js";
import { instant } from "../format.js";
import { LEAGUE_NAMES, capitalised, degradation, statusMeaning, statusWord } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @typedef {Answer<"/api/v1/data-status/{sport}">} LeagueStatus */

/** @param {string} status */
export function statusChip(status) {
  return element("span", { class: "chip", "data-tone": status, title: statusMeaning(status) }, statusWord(status));
}

/**
 * Builds the warnings about a league's figures.
 * @param {LeagueStatus} status
 */
export function leagueStatus(status) {
  const { sport, degradation_reason: reason, operational, refresh_pending: isPending } = status;
  const words = [
    reason && degradation(reason),
    !reason && status.status !== "fresh" && `${capitalised(statusMeaning(status.status))}.`,
    !operational && status.status !== "partial" && "Today's slate is not served.",
    isPending && reason !== "predictions_stale" && "Newer odds were published after the predictions.",
    status.simulated && "Simulated.",
    status.odds && `Odds as of ${instant(status.odds.source_as_of)}.`,
  ];
  const isAlert = reason !== null || !operational;
  return element(
    "p",
    { class: isAlert ? "league-status alert" : "league-status", "data-status": status.status },
    element("strong", {}, LEAGUE_NAMES[sport]),
    " ",
    statusChip(status.status),
    " ",
    words.filter(Boolean).join(" "),
  );
}

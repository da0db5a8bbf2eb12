// The proof of a game's forecast: a button that saves it, and how to check it.

import { Refusal, file } from "../api.js";
import { element, replace } from "../dom.js";
import { keepFile } from "./keep-file.js";

/**
 * Builds the button and its explanation; null for a game without a live forecast, which has no proof.
 * @param {string} sport
 * @param {string} market
 * @param {{ id: string, isLive: boolean }} game
 */
export function proofOf(sport, market, { id: game, isLive }) {
  if (!isLive) {
    return null;
  }
  const name = `prove-${market}-${game}`.replace(/[^A-Za-z0-9]+/g, "-");
  const said = element("p", { role: "status" });
  const save = async () => {
    replace(said, "The proof is being made.");
    try {
      const query = { model_type: market, game_id: game };
      keepFile(await file("/api/v1/record/{sport}/proof", { path: { sport }, query }), `${game}.${market}.tlog-proof`);
      replace(said, ...explained());
    } catch (error) {
      replace(said, error instanceof Refusal ? `${error.message}.` : "The server does not answer; try again.");
    }
  };
  const button = element(
    "button",
    { type: "button", class: "action", id: name, on: { click: save } },
    "Prove this forecast",
  );
  return element("div", { class: "proof" }, button, said);
}

/** Two sentences on the use of a proof. */
function explained() {
  const href = new URL("../verify", document.baseURI).href;
  return [
    "The saved file has this forecast, its place in the signed record, and the signatures of the witnesses that received the record at that time. Drop it on ",
    element("a", { href }, "the verifier"),
    ", with the key of the log, the key of a witness that you trust, and the start of the game.",
  ];
}

// The mark of a graded side: filled if it won, crossed if it lost, with a line through it if it was a push.

import { svg } from "../dom.js";
import { figureIn } from "../forecasts.js";
import { share } from "../format.js";
import { matchup, modelName } from "../words.js";
import { named } from "./marks.js";

/** @import { Row } from "../forecasts.js" */

const CROSS = "M5 5L13 13M13 5L5 13";
const DASH = "M5 9H13";

/**
 * @param {Row} game
 * @param {string} model
 * @param {boolean | "pushed"} hit
 * @param {boolean} [isAhead] True if the side won although the book's favourite lost, of a model with the better record.
 */
export function hitMark(game, model, hit, isAhead = false) {
  const value = figureIn(game, model);
  const ending = hit === "pushed" ? "pushed" : hit ? "won" : "lost";
  const words = `${matchup(game)}: ${modelName(model)} ${share(value)}, ${ending}`;
  const stroke = hit === true ? null : svg("path", { class: "cross", d: hit === "pushed" ? DASH : CROSS });
  return svg(
    "svg",
    {
      class: [hit === true ? "hit" : "miss", isAhead && "ahead"].filter(Boolean).join(" "),
      width: 18,
      height: 18,
      role: "img",
      "aria-label": words,
    },
    svg("title", {}, words),
    svg("rect", {
      class: "mark",
      x: 2,
      y: 2,
      width: 14,
      height: 14,
      rx: 3,
      ...named({ value, game: game.game_id, model }),
    }),
    stroke,
  );
}

// The mark of a graded forecast: filled if its side won, crossed if it lost.

import { share } from "../format.js";
import { matchup, modelName } from "../words.js";
import { named } from "./marks.js";
import { svg } from "./svg.js";

/** @import { Row } from "../forecasts.js" */

/**
 * @param {Row} game
 * @param {string} model
 * @param {boolean} hit
 */
export function hitMark(game, model, hit) {
  const words = `${matchup(/** @type {any} */ (game))}: ${modelName(model)} ${share(game[model])}, ${hit ? "right" : "wrong"}`;
  const cross = hit ? null : svg("path", { class: "cross", d: "M5 5L13 13M13 5L5 13" });
  return svg(
    "svg",
    { class: hit ? "hit" : "miss", width: 18, height: 18, role: "img", "aria-label": words },
    svg("title", {}, words),
    svg("rect", {
      class: "mark",
      x: 2,
      y: 2,
      width: 14,
      height: 14,
      rx: 3,
      ...named({ value: game[model], game: game.game_id, model }),
    }),
    cross,
  );
}

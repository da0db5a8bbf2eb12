// A grid of a model's probability against the market's: how often the model's pick won, and in how many games.

import { element } from "../dom.js";
import { count, roughShare, share } from "../format.js";
import { figure } from "./figure.js";
import { named } from "./marks.js";
import { svg } from "./svg.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { ForecastGames } from "../words.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}/density">} Density */
/** @typedef {Density["current"]} Grid */

/** The width of a cell, and the room of the axes. */
const [CELL, LEFT, BELOW] = [34, 56, 44];
/** The number of colour steps on either side of one half. */
const STEPS = 4;
/** The number of games below which a mark is pale. */
const FEW = 10;

/**
 * @param {Address} address
 * @param {string} id
 * @param {string} period
 * @param {{ name: string, code: string }} model
 * @param {Grid} grid
 * @param {number} width The width of a bin.
 * @param {ForecastGames} [split]
 */
export function heatMap(address, id, period, model, grid, width, split) {
  const { cells, games, seasons } = grid;
  if (cells.length === 0) {
    return element(
      "p",
      { class: "empty" },
      `${period}: there are no games with a pick of ${model.name} and both prices.`,
    );
  }
  const span = seasons.length > 1 ? `${seasons.at(-1)} to ${seasons[0]}` : (seasons[0] ?? "no season");
  const scroll = element("div", { class: "sideways", role: "region", "aria-label": `${period}: grid`, tabindex: "0" });
  scroll.append(drawing(model, cells, width));
  const range = (/** @type {number} */ from) => `${Math.round(from * 100)}–${Math.round((from + width) * 100)}\u00a0%`;
  const heads = [`${model.name} gives`, "Market gives", "Games", "Won", "Won %"];
  return figure({
    id,
    title: `${period}: how often ${model.name}'s picks won, ${count(games)} games, ${span}`,
    note: "The area of a mark is its number of games, its colour the share that won. Filled: one half or more; hollow: less; pale: fewer than ten games.",
    drawing: [hint(scroll), scroll],
    numbers: () => ({
      caption: `${period}, as numbers`,
      columns: heads.map((head, index) => ({ head, number: index > 1 })),
      rows: cells.map((cell) => ({
        id: `${id}-${cell.blend}-${cell.implied}`,
        cells: [range(cell.blend), range(cell.implied), count(cell.games), count(cell.wins), share(cell.win_pct)],
        values: [cell.blend, cell.implied, cell.games, cell.wins, cell.win_pct],
      })),
    }),
    address,
    split,
    calls: [
      {
        template: "/api/v1/results/{sport}/{model_type}/density",
        path: { sport: address.league, model_type: address.market },
        query: { model: model.code },
      },
    ],
  });
}

/** Builds the hint that a part is wider than the window. @param {HTMLElement} scroll */
function hint(scroll) {
  const made = element("p", { class: "note hint", hidden: true }, "Scroll sideways for all of it →");
  new ResizeObserver(() => (made.hidden = scroll.scrollWidth <= scroll.clientWidth)).observe(scroll);
  return made;
}

/**
 * Draws the grid: the same bins on both axes, with and without games, so that equal distances are equal.
 * @param {{ name: string, code: string }} model
 * @param {Grid["cells"]} cells
 * @param {number} width
 */
function drawing({ name, code }, cells, width) {
  const bin = (/** @type {number} */ from) => Math.round(from / width);
  const bins = cells.flatMap((cell) => [bin(cell.blend), bin(cell.implied)]);
  const [first, last] = [Math.min(...bins), Math.max(...bins)];
  const number = last - first + 1;
  const length = number * CELL;
  const largest = Math.max(...cells.map((cell) => cell.games));
  const edges = Array.from({ length: number + 1 }, (_, index) => index);
  const lines = edges.flatMap((edge) => {
    const at = edge * CELL;
    return [
      svg("line", { class: "grid", x1: LEFT + at, x2: LEFT + at, y1: 8, y2: 8 + length }),
      svg("line", { class: "grid", x1: LEFT, x2: LEFT + length, y1: 8 + at, y2: 8 + at }),
    ];
  });
  const texts = edges
    .filter((edge) => number < 9 || edge % 2 === 0)
    .flatMap((edge) => {
      const text = roughShare((first + edge) * width);
      return [
        svg("text", { x: LEFT + edge * CELL, y: 8 + length + 16, "text-anchor": "middle" }, text),
        svg(
          "text",
          { x: LEFT - 6, y: 8 + length - edge * CELL, "text-anchor": "end", "dominant-baseline": "middle" },
          text,
        ),
      ];
    });
  const diagonal = svg("line", { class: "compared", x1: LEFT, y1: 8 + length, x2: LEFT + length, y2: 8 });
  const marks = cells.map((cell) => {
    const side = Math.max(5, (CELL - 4) * Math.sqrt(cell.games / largest));
    const [column, row] = [bin(cell.implied) - first, number - 1 - (bin(cell.blend) - first)];
    const step = Math.max(-STEPS, Math.min(STEPS, Math.round((cell.win_pct - 0.5) / width)));
    const words = `${name} ${roughShare(cell.blend)}, market ${roughShare(cell.implied)}: ${share(cell.win_pct)} of ${cell.games} won`;
    const attributes = {
      class: `mark heat ${cell.win_pct >= 0.5 ? "won" : "lost"}${cell.games < FEW ? " thin" : ""}`,
      "data-heat": step,
      x: LEFT + column * CELL + (CELL - side) / 2,
      y: 8 + row * CELL + (CELL - side) / 2,
      width: side,
      height: side,
      "data-games": cell.games,
      ...named({ value: cell.win_pct, model: code }),
    };
    return svg("rect", attributes, svg("title", {}, words));
  });
  const size = { width: LEFT + length + 24, height: 8 + length + BELOW };
  return svg(
    "svg",
    { ...size, class: "heat-map", role: "img", "aria-label": `${name}'s probability by the market's` },
    lines,
    diagonal,
    texts,
    svg("text", { x: LEFT + length / 2, y: 8 + length + 36, "text-anchor": "middle" }, "Market's probability →"),
    marks,
  );
}

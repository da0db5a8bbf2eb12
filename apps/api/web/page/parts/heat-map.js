// Grids of a model's probability against the market's: how often the model's pick won, and in how many games.

import { element, svg } from "../dom.js";
import { count, counted, roughShare, share } from "../format.js";
import { columns, levels } from "./axes.js";
import { figure } from "./figure.js";
import { named } from "./marks.js";
import { placeOn } from "./svg.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { ForecastGames } from "../words.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}/density">} Density */
/** @typedef {Density["current"]} Grid */
/**
 * What the grids of a pair have in common.
 * @typedef {object} Shared
 * @property {Address} address
 * @property {{ name: string, code: string }} model
 * @property {number} width The width of a bin.
 * @property {[number, number]} bins The first and the last bin, of both axes.
 */

/** The number of colour steps on either side of one half. */
const STEPS = 4;
/** The number of games below which a mark is pale. */
const FEW = 10;
/** The part of its cell that the largest mark has, and the smallest. */
const [LARGEST, SMALLEST] = [0.9, 0.18];
/** The most bins of which each edge has its text. */
const MOST_TEXTS = 8;

/**
 * Draws the grids of the current season and of the seasons before, with the same axes.
 * @param {Address} address
 * @param {Density} density
 * @param {string} name The model's name.
 * @param {(season: string) => ForecastGames | undefined} splitOf Returns the split of a season, if it is known.
 */
export function heatMaps(address, { model: code, current, previous, bin_width: width }, name, splitOf) {
  const bin = (/** @type {number} */ from) => Math.round(from / width);
  const bins = [...current.cells, ...previous.cells].flatMap((cell) => [bin(cell.blend), bin(cell.implied)]);
  const shared = {
    address,
    model: { name, code },
    width,
    bins: /** @type {[number, number]} */ ([Math.min(...bins), Math.max(...bins)]),
  };
  return element(
    "div",
    { class: "pair" },
    heatMap(shared, "grid", "Current season", current, splitOf(current.seasons[0])),
    heatMap(shared, "grid-before", "Seasons before", previous),
  );
}

/**
 * @param {Shared} shared
 * @param {string} id
 * @param {string} period
 * @param {Grid} grid
 * @param {ForecastGames} [split]
 */
function heatMap({ address, model, width, bins }, id, period, grid, split) {
  const { cells, games, seasons } = grid;
  if (cells.length === 0) {
    return element(
      "p",
      { class: "empty" },
      `${period}: there are no games with a pick of ${model.name} and both prices.`,
    );
  }
  const span = seasons.length > 1 ? `${seasons.at(-1)} to ${seasons[0]}` : (seasons[0] ?? "no season");
  const range = (/** @type {number} */ from) => `${Math.round(from * 100)}–${Math.round((from + width) * 100)}\u00a0%`;
  const heads = [`${model.name} gives`, "Market gives", "Games", "Won", "Won %"];
  return figure({
    id,
    title: `${period}: how often ${model.name}'s picks won, ${count(games)} games, ${span}`,
    note: "On the dashed line, model and market agree. The larger a mark, the more games.",
    legend: LEGEND.map(([kind, step, words]) => [sample(kind, step), words]),
    drawing: [
      element(
        "div",
        { class: "plot-area square grid-area" },
        element("p", { class: "axis-name" }, `↑ ${model.name}'s probability`),
        drawing(model, cells, width, bins),
        element("p", { class: "axis-name along" }, "Market's probability →"),
      ),
    ],
    numbers: () => ({
      caption: `${period}, as numbers`,
      columns: heads.map((head, index) => ({ head, number: index > 1, brief: index === 1 || index === 4 })),
      rows: cells.map((cell) => ({
        id: `${id}-${cell.blend}-${cell.implied}`,
        cells: [range(cell.blend), range(cell.implied), count(cell.games), count(cell.wins), share(cell.win_pct)],
        values: [cell.blend, cell.implied, cell.games, cell.wins, cell.win_pct],
      })),
    }),
    address,
    split,
    season: span,
    of: counted(games, "game"),
    calls: [
      {
        template: "/api/v1/results/{sport}/{model_type}/density",
        path: { sport: address.league, model_type: address.market },
        query: { model: model.code },
      },
    ],
  });
}

/** @type {[string, number, string][]} The kind of a mark, its colour step, and its meaning. */
const LEGEND = [
  ["won", 3, "Half of the picks or more won: the darker, the more"],
  ["lost", -1, "Fewer won"],
  ["won thin", 3, `Pale: fewer than ${FEW} games`],
];

/**
 * Draws a mark for the legend.
 * @param {string} kind
 * @param {number} step
 */
function sample(kind, step) {
  const drawn = svg("rect", { class: `mark heat ${kind}`, "data-heat": step, x: 2, y: 2, width: 12, height: 12 });
  return svg("svg", { class: "sample", width: 16, height: 16, "aria-hidden": "true" }, drawn);
}

/**
 * Draws the grid: the same bins on both axes, with and without games, so that equal distances are equal.
 * @param {{ name: string, code: string }} model
 * @param {Grid["cells"]} cells
 * @param {number} width
 * @param {[number, number]} bins
 */
function drawing({ name, code }, cells, width, [first, last]) {
  const bin = (/** @type {number} */ from) => Math.round(from / width);
  const number = last - first + 1;
  const across = placeOn([first, last + 1]);
  const down = (/** @type {number} */ at) => Math.round((100 - across(at)) * 1000) / 1000;
  const edges = Array.from({ length: number + 1 }, (_, index) => first + index);
  const every = number > 2 * MOST_TEXTS ? 4 : number > MOST_TEXTS ? 2 : 1;
  const ticks = edges.map((at) => ({ at, text: at % every === 0 ? roughShare(at * width) : "" }));
  const largest = Math.max(...cells.map((cell) => cell.games));
  const marks = cells.map((cell) => {
    const side = Math.max(SMALLEST, LARGEST * Math.sqrt(cell.games / largest));
    const step = Math.max(-STEPS, Math.min(STEPS, Math.round((cell.win_pct - 0.5) / width)));
    const words = `${name} ${roughShare(cell.blend)}, market ${roughShare(cell.implied)}: ${share(cell.win_pct)} of ${counted(cell.games, "pick")} won`;
    const attributes = {
      class: `mark heat ${cell.win_pct >= 0.5 ? "won" : "lost"}${cell.games < FEW ? " thin" : ""}`,
      "data-heat": step,
      x: `${across(bin(cell.implied) + (1 - side) / 2)}%`,
      y: `${down(bin(cell.blend) + (1 + side) / 2)}%`,
      width: `${(side / number) * 100}%`,
      height: `${(side / number) * 100}%`,
      "data-games": cell.games,
      ...named({ value: cell.win_pct, model: code }),
    };
    return svg("rect", attributes, svg("title", {}, words));
  });
  return svg(
    "svg",
    { class: "plot square", role: "img", "aria-label": `${name}'s probability by the market's`, overflow: "visible" },
    levels(ticks, down),
    columns(ticks, across),
    svg("line", { class: "compared", x1: 0, y1: "100%", x2: "100%", y2: 0 }),
    marks,
  );
}

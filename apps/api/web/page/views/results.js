// A season's games with their grading and the chosen model's record, and the season as a file.

import { signal as state } from "@preact/signals";
import { Refusal, file, get, getIfThere } from "../api.js";
import { write } from "../address.js";
import { hasStarted } from "../clock.js";
import { element } from "../dom.js";
import { besideBaseline, gamesOf, gradeOf, ofOf, takenOf } from "../followed.js";
import { figureIn } from "../forecasts.js";
import { count, counted, day, gain, instant, interval, share } from "../format.js";
import { missingNote, modelsOf } from "../models.js";
import { figure } from "../parts/figure.js";
import { baselineIn } from "../parts/headline.js";
import { hitMark } from "../parts/hit.js";
import { keepFile } from "../parts/keep-file.js";
import { followSwitch } from "../parts/of-switch.js";
import { modelPicker, seasonPicker } from "../parts/pickers.js";
import { printedBaseline, printedRecord, wonLost } from "../parts/printed-record.js";
import { resultTable } from "../parts/result-table.js";
import { leagueStatus } from "../parts/status.js";
import { typedField } from "../parts/typed-field.js";
import { teamsOf } from "../teams.js";
import { STANDARD_MODELS, matchup, modelName } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Context } from "../main.js" */
/** @import { Beside, Grade, Of } from "../followed.js" */
/** @import { Market } from "../words.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}">} Page */
/** @import { Row } from "../forecasts.js" */
/** @import { Entry } from "../parts/result-table.js" */

export const title = "Results";
export const picks = { league: true, market: true };
export const follows = true;
export const needsKey = true;

/** The number of games of a page. */
const LIMIT = 50;
/** The number of marks of a model's newest picks or bets. */
const MARKS = 120;
const WHOLE_SEASON = 100_000;
const RESULTS = "/api/v1/results/{sport}/{model_type}";
const SUMMARY = "/api/v1/summary/{sport}/{model_type}";

/** @param {Context} context */
export async function show({ address, signal, offer, ofSeason }) {
  const { league: sport, market, options } = address;
  const path = { sport, model_type: market };
  const [status, league, teams, seasons, { page, refusal }] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    modelsOf(address, signal),
    teamsOf(sport),
    get("/api/v1/results/{sport}/{model_type}/seasons", { path, signal }),
    filtered(address, signal),
  ]);
  const summary = await getIfThere(SUMMARY, { path, query: { season: page.season }, signal });
  const games = page.results;
  const models = [...new Set([...STANDARD_MODELS, ...league.names])];
  const asked = options.get("model");
  const model = asked && asked !== "IMPLIED" && models.includes(asked) ? asked : league.headlineOf(market);
  const offered = models.filter((name) => name !== "IMPLIED" && games.some((game) => Object.hasOwn(game, name)));
  const of = ofOf(address);
  const entries = recorded(games, market, model, of);
  const offset = Math.min(offsetOf(options), Math.max(0, entries.length - 1));
  ofSeason(page.season);
  offer(
    modelPicker(address, league, offered, model),
    seasonPicker(address, seasons.seasons, page.season),
    followSwitch(address),
  );
  return [
    leagueStatus(status),
    missingNote(address, model),
    seasonSoFar(summary, model, of),
    !refusal && hits(address, entries, model, queryOf(options, page.season)),
    filters(address),
    refusal && element("p", { class: "notice alert", role: "alert", id: "no-match" }, refusal),
    !refusal && element("p", { class: "note", id: "shown" }, shownOf(page, entries.length, offset)),
    ...(refusal
      ? []
      : [
          resultTable({ address, signal }, page.season, entries.slice(offset, offset + LIMIT), {
            league,
            models,
            model,
            of,
            teams,
          }),
          pages(address, offset, entries.length),
        ]),
    downloads(address, page.season, signal),
  ];
}

/** Returns the number of games before the page that the address names. @param {URLSearchParams} options */
function offsetOf(options) {
  const asked = Number(options.get("offset"));
  return Number.isInteger(asked) && asked > 0 ? asked : 0;
}

/**
 * Brings games into order, played ones first and the newest of them first, and counts the model's record along the way.
 * @param {Row[]} games
 * @param {Market} market
 * @param {string} model
 * @param {Of} of
 * @returns {Entry[]}
 */
function recorded(games, market, model, of) {
  const begins = (/** @type {Row} */ game) => `${game.date} ${game.time_est ?? ""}`;
  const isComing = (/** @type {Row} */ game) =>
    game.home_score === null && !hasStarted({ date: game.date, time: game.time_est ?? "23:59:59" });
  const inTime = games.toSorted((a, b) => (begins(a) < begins(b) ? -1 : Number(begins(a) > begins(b))));
  const record = { won: 0, lost: 0, pushed: 0 };
  const entries = inTime.map((game) => {
    const taken = takenOf(of, market, model, game);
    const grade = gradeOf(taken.side, market, game);
    if (grade !== "none") {
      record[grade] += 1;
    }
    return { game, taken, grade, record: grade === "none" ? null : wonLost(record) };
  });
  const played = entries.filter(({ game }) => !isComing(game)).reverse();
  return [...played, ...entries.filter(({ game }) => isComing(game))];
}

/**
 * Describes the season of a model so far: its picks or its bets, and the book's favourite beside them.
 * @param {Answer<typeof SUMMARY> | null} summary
 * @param {string} model
 * @param {Of} of
 */
function seasonSoFar(summary, model, of) {
  const entry = summary?.summaries.find((one) => one.model === model);
  const found = entry?.[of];
  if (!entry || !found) {
    return null;
  }
  const name = element("strong", {}, `${modelName(model)}'s ${of} in ${summary?.season}`);
  if (gamesOf(found) === 0) {
    return element("p", { class: "so-far", id: "so-far" }, name, ": none yet.");
  }
  const { wilson_low: low, wilson_high: high, break_even: even, staked, roi, roi_low, roi_high } = found;
  // The rate of bets is in no answer, and the page computes none.
  const rate =
    of === "picks"
      ? `, ${share(entry["win %"])} won (95\u00a0% interval ${interval(low, high)})`
      : ` (95\u00a0% interval of the share won ${interval(low, high)})`;
  const baseline = baselineIn(found);
  return element(
    "p",
    { class: "so-far", id: "so-far" },
    name,
    ": ",
    printedRecord(model, found),
    rate,
    `; breaks even at ${share(even)} won. Return ${gain(roi)} of ${counted(staked, "unit")}`,
    roi_low === null ? "" : ` (${interval(roi_low, roi_high, gain)})`,
    ". ",
    "The book's favourite ",
    printedBaseline(baseline),
    ` ${sameGames({ record: found, baseline })}.`,
  );
}

/** The mark of a grade. @param {Grade} grade */
function hitOf(grade) {
  return grade === "pushed" ? grade : grade === "won";
}

/**
 * Draws the newest picks or bets of a model: which won.
 * @param {Address} address
 * @param {Entry[]} entries
 * @param {string} model
 * @param {ReturnType<typeof queryOf>} query The query that the entries come from.
 */
function hits(address, entries, model, query) {
  const of = ofOf(address);
  const { market } = address;
  const graded = entries.filter(({ grade }) => grade !== "none").slice(0, MARKS);
  if (graded.length === 0) {
    return null;
  }
  const games = graded.map(({ game }) => game);
  const beside = besideBaseline(of, market, model, games);
  const { record, baseline } = beside;
  const isBetter = beside.shared.won > baseline.won;
  const marks = graded.map(({ game, grade }) => {
    const book = gradeOf(takenOf("picks", market, "IMPLIED", game).side, market, game);
    return hitMark(game, model, hitOf(grade), isBetter && grade === "won" && book === "lost");
  });
  const side = of === "picks" ? "pick" : "bet";
  return figure({
    id: "hits",
    title: finding(side, model, beside),
    note: [
      `${modelName(model)} `,
      printedRecord(model, record),
      ", the book's favourite ",
      printedBaseline(baseline),
      ` ${sameGames(beside)}. One mark for each game, the newest first: filled if the ${side} won, crossed if it lost`,
      record.pushed > 0 && ", with a dash if it was a push",
      isBetter && "; green where the book's favourite lost",
      ".",
    ],
    drawing: [element("div", { class: "hits" }, marks)],
    numbers: () => ({
      caption: `The newest ${of}`,
      columns: ["Game", "Date", modelName(model), "Grade"].map((head, index) => ({ head, number: index === 2 })),
      rows: graded.map(({ game, grade }) => ({
        id: `hit-${game.game_id}`,
        cells: [matchup(game), day(game.date), share(figureIn(game, model)), grade],
        values: [matchup(game), game.date, figureIn(game, model), grade],
      })),
    }),
    address,
    calls: [{ template: RESULTS, path: { sport: address.league, model_type: address.market }, query }],
  });
}

/**
 * Says how a model's newest picks or bets did beside the book's favourite, over the games that both took.
 * @param {string} side
 * @param {string} model
 * @param {Beside} beside
 */
function finding(side, model, { record, shared, baseline }) {
  const more = shared.won - baseline.won;
  const than = more === 0 ? "as many as" : `${count(Math.abs(more))} ${more > 0 ? "more" : "fewer"} than`;
  const [all, both] = [gamesOf(record), gamesOf(shared)];
  const newest = all === 1 ? `newest ${side}` : `newest ${counted(all, side)}`;
  const own = `${modelName(model)} won ${count(record.won)} of its ${newest}`;
  if (both === 0) {
    return own;
  }
  return all === both
    ? `${own}, ${than} the book's favourite`
    : `${own}; of the ${count(both)} with a favourite ${count(shared.won)}, ${than} the favourite`;
}

/** Says which games a baseline is of. @param {Pick<Beside, "record" | "baseline">} beside */
function sameGames({ record, baseline }) {
  const [all, both] = [gamesOf(record), gamesOf(baseline)];
  return all === both ? "over the same games" : `over the ${count(both)} of these games that have one`;
}

/**
 * Describes the part of the season's games that is on the page.
 * @param {Page} page
 * @param {number} all
 * @param {number} offset
 */
function shownOf({ season, last_updated: published }, all, offset) {
  const range = `Games ${count(offset + 1)} to ${count(Math.min(offset + LIMIT, all))} of ${count(all)}`;
  return `${all <= LIMIT ? counted(all, "game") : range} in ${season}, the newest first. Published ${instant(published)}.`;
}

/**
 * Requests the season's games; if its filters are refused, one game and the refusal.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<{ page: Page, refusal?: string }>}
 */
async function filtered({ league: sport, market: model_type, options }, signal) {
  const path = { sport, model_type };
  const season = options.get("season");
  try {
    return { page: await get(RESULTS, { path, query: queryOf(options, season), signal }) };
  } catch (error) {
    const isAboutFilters = error instanceof Refusal && [400, 404].includes(error.status);
    if (!isAboutFilters || !FILTERS.some((name) => options.has(name))) {
      throw error;
    }
    const page = await get(RESULTS, { path, query: { season, limit: 1 }, signal });
    const noTeam = `There is no team “${options.get("team")}” in ${page.season}. Teams are named in full, as in the table.`;
    return { page, refusal: error.status === 404 ? noTeam : `${error.message}.` };
  }
}

const FILTERS = /** @type {const} */ (["from", "to", "team"]);

/**
 * Returns the query of a season's games that pass the filters.
 * @param {URLSearchParams} options
 * @param {string | null} season
 */
function queryOf(options, season) {
  return { season, limit: WHOLE_SEASON, ...Object.fromEntries(FILTERS.map((name) => [name, options.get(name)])) };
}

/**
 * Builds the form of the filters.
 * @param {Address} address
 */
function filters(address) {
  const field = (
    /** @type {typeof FILTERS[number]} */ name,
    /** @type {string} */ text,
    /** @type {string} */ type,
  ) => [
    element("label", { for: `filter-${name}` }, text),
    typedField({ id: `filter-${name}`, name, type }, address.options.get(name) ?? ""),
  ];
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const typed = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const wanted = Object.fromEntries(FILTERS.map((name) => [name, String(typed.get(name)).trim() || null]));
    location.hash = write(address, {}, { ...wanted, offset: null });
  };
  const none = Object.fromEntries(FILTERS.map((name) => [name, null]));
  return element(
    "form",
    { class: "filters", "aria-label": "Filters", on: { submit } },
    ...field("from", "From", "date"),
    ...field("to", "To", "date"),
    ...field("team", "Team", "text"),
    element("button", { type: "submit", id: "filter" }, "Filter"),
    element("a", { id: "filter-none", href: write(address, {}, { ...none, offset: null }) }, "All games"),
  );
}

/**
 * @param {Address} address
 * @param {number} offset
 * @param {number} all
 */
function pages(address, offset, all) {
  const link = (/** @type {string} */ text, /** @type {number | null} */ to) =>
    element("a", { id: `page-${text}`.toLowerCase(), href: write(address, {}, { offset: to }) }, text);
  return element(
    "nav",
    { class: "pages", "aria-label": "Pages" },
    offset > 0 && link("Previous", offset > LIMIT ? offset - LIMIT : null),
    offset + LIMIT < all && link("Next", offset + LIMIT),
  );
}

/**
 * @param {Address} address
 * @param {string} season
 * @param {AbortSignal} signal
 */
function downloads({ league: sport, market: model_type }, season, signal) {
  const progress = state("");
  const button = (/** @type {string} */ text, /** @type {string} */ format) => {
    const click = async () => {
      progress.value = ` Fetching the ${text} file…`;
      try {
        const query = { season, format, limit: WHOLE_SEASON };
        const content = await file(RESULTS, { path: { sport, model_type }, query, signal });
        const name = `${sport}-${model_type}-${season}.${format}`;
        keepFile(content, name);
        progress.value = ` ${name} is in your downloads.`;
      } catch (error) {
        progress.value = ` ${error instanceof Error ? error.message : error}.`;
      }
    };
    return element("button", { type: "button", id: `download-${format}`, on: { click } }, text);
  };
  return element(
    "p",
    { class: "downloads" },
    `The whole season ${season} as a file: `,
    button("CSV", "csv"),
    " ",
    button("Parquet", "parquet"),
    element("span", { role: "status" }, progress),
  );
}

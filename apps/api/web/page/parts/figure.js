// The frame of a figure: its title, its drawing, its numbers as a table, and ways to pass it on.

import { useSignal } from "@preact/signals";
import { figureLink } from "../address.js";
import { ROOT, getIfThere } from "../api.js";
import { element, part } from "../dom.js";
import { counted } from "../format.js";
import { LEAGUES, LEAGUE_NAMES, MARKET_NAMES, forecastSplit } from "../words.js";
import { callsButton, commands } from "./calls.js";
import { copyPicture, copyText } from "./clipboard.js";
import { csv } from "./csv.js";
import { keepFile } from "./keep-file.js";
import { readable } from "./readable.js";
import { pictureOf } from "./share-picture.js";
import { table, valuesOf } from "./table.js";

/** @import { Address } from "../address.js" */
/** @import { Child, Children } from "../dom.js" */
/** @import { Call } from "./calls.js" */
/** @import { Content as TableContent } from "./table.js" */
/** @import { ForecastGames } from "../words.js" */
/**
 * @typedef {object} Figure
 * @property {string} id Names the figure in its view, and in its address.
 * @property {string} title What the figure shows.
 * @property {Children} [note] How it is read, with its units.
 * @property {Children[]} [legend]
 * @property {Child[]} drawing
 * @property {() => TableContent} numbers
 * @property {Address} address
 * @property {Call[]} calls
 * @property {ForecastGames} [split] The games of its season by the kind of their forecast.
 * @property {string} [season] Its season, unless it is that of the view.
 * @property {string} [of] What it counts, for its picture: `607 games`. Without it, the games that are drawn, or those of the season.
 * @property {string} [class]
 */

/** The number of digits of a record's head in a picture. */
const DIGITS = 8;

/** @param {Figure} content */
export function figure(content) {
  const { id, title, note, legend = [], drawing, split, class: kind = "" } = content;
  return element(
    "figure",
    { class: `figure ${kind}`.trim(), id: `figure-${id}` },
    element("figcaption", {}, element("strong", {}, title), note ? element("span", { class: "reading" }, note) : null),
    legend.length > 0 &&
      element(
        "ul",
        { class: "legend" },
        legend.map((entry) => element("li", {}, entry)),
      ),
    drawing.map((drawn) => readable(title, drawn)),
    split && element("p", { class: "note split" }, forecastSplit(split)),
    part(Under, { content }),
  );
}

/**
 * What is under a figure: the ways to pass it on, and its numbers.
 * @param {{ content: Figure }} props
 */
function Under({ content }) {
  const { id, address, calls, numbers } = content;
  const name = [address.view, address.league, address.market, id].join("-");
  const progress = useSignal("");
  const saved = async () => {
    const { columns, rows } = numbers();
    const text = csv(
      columns.map(({ head }) => head),
      rows.map(valuesOf),
    );
    keepFile(new Blob([text], { type: "text/csv" }), `${name}.csv`);
    return "";
  };
  const pictured = async (/** @type {HTMLElement} */ made) => {
    keepFile(await picture(made, content), `${name}.png`);
    return "";
  };
  const link = () => new URL(figureLink(address, id), ROOT).href;
  const button = (/** @type {string} */ text, /** @type {(made: HTMLElement) => Promise<string>} */ act) => {
    const click = async (/** @type {Event} */ { currentTarget }) => {
      progress.value = "";
      const made = /** @type {HTMLElement} */ (/** @type {Element} */ (currentTarget).closest("figure"));
      progress.value = await act(made).catch((error) => `${text} failed: ${error.message ?? error}.`);
    };
    const code = text.toLowerCase().replaceAll(" ", "-");
    return element("button", { type: "button", class: "action", id: `${code}-${id}`, on: { click } }, text);
  };
  return element(
    "div",
    { class: "under" },
    element(
      "div",
      { class: "ways" },
      button("CSV", saved),
      button("PNG", pictured),
      button("Copy image", (made) => copyPicture(picture(made, content))),
      button("Copy link", () => copyText(link())),
      button("Copy call", () => copyText(commands(calls))),
      callsButton(id, calls),
      element("span", { role: "status" }, progress),
    ),
    folded("The numbers as a table", () => table(numbers())),
  );
}

/**
 * Returns the picture of a figure that travels.
 * @param {HTMLElement} made
 * @param {Figure} content
 */
async function picture(made, { title, address, calls, split, season, of }) {
  const asked = new Set(calls.map(({ path }) => path?.sport));
  const sports = LEAGUES.filter((sport) => asked.has(sport));
  const heads = await Promise.all(sports.map(async (sport) => ({ sport, head: await headOf(sport) })));
  const found = heads.filter(({ head }) => head !== "");
  const isOne = sports.length === 1;
  const games = split && split.recorded + split.imported + split.walk_forward;
  const reading = made.querySelector(".reading")?.textContent ?? "";
  const leagues = sports.map((sport) => (isOne ? LEAGUE_NAMES[sport] : sport.toUpperCase())).join(", ");
  const market = isOne && calls.some(({ path }) => path?.model_type) && MARKET_NAMES[address.market];
  const drawn = new Set([...made.querySelectorAll("[data-game]")].map((mark) => mark.getAttribute("data-game"))).size;
  const number = of ?? (games || drawn ? counted(games || drawn, "game") : "");
  const known = season ?? document.querySelector("main")?.dataset.season ?? (await seasonOf(address, sports));
  const facts = [leagues, market, known, number];
  return pictureOf(made, {
    title,
    subtitle: reading,
    facts: facts.flatMap((fact) => fact || []),
    head: found.map(({ sport, head }) => (isOne ? head : `${sport} ${head}`)).join(" "),
  });
}

/**
 * Returns the season that a single league is in; nothing if that is not open.
 * @param {Address} address
 * @param {import("../words.js").League[]} sports
 */
async function seasonOf({ market: model_type }, sports) {
  const [sport] = sports;
  const path = { sport, model_type };
  const asked = "/api/v1/results/{sport}/{model_type}/seasons";
  const found = sports.length === 1 ? await getIfThere(asked, { path }).catch(() => null) : null;
  return found?.current_season;
}

/**
 * Returns the first digits of the head of a league's record; empty if it is unknown.
 * @param {import("../words.js").League} sport
 */
async function headOf(sport) {
  const query = { limit: 1 };
  const found = await getIfThere("/api/v1/releases/{sport}", { path: { sport }, query }).catch(() => null);
  return found?.head.slice(0, DIGITS) ?? "";
}

/**
 * Builds an element whose content is made when it is opened.
 * @param {string} name
 * @param {() => Child} content
 */
export function folded(name, content) {
  return part(Folded, { name, content });
}

/** @param {{ name: string, content: () => Child }} content */
function Folded({ name, content }) {
  const isMade = useSignal(false);
  const toggle = (/** @type {Event} */ { currentTarget }) => {
    isMade.value ||= /** @type {HTMLDetailsElement} */ (currentTarget).open;
  };
  return element("details", { on: { toggle } }, element("summary", {}, name), isMade.value && content());
}

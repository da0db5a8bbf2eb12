// Pickers of league, market, season and models: menus of links, each to its own address.

import { carried, write } from "../address.js";
import { element } from "../dom.js";
import { isOwn } from "../rule.js";
import { LEAGUE_NAMES, MARKETS, MARKET_NAMES } from "../words.js";
import { filtered } from "./filter.js";
import { menu } from "./menu.js";
import { swatch } from "./tones.js";

/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @import { Models } from "../models.js" */
/** @import { League } from "../words.js" */
/** @typedef {{ id: string, href: string, isChosen: boolean, content: Child[] }} Link */
/** @typedef {{ text: string, href: string, isChosen: boolean }} Choice */

/** The longest list of models without a filter. */
const FEW = 12;

/**
 * @param {string} name The name of the choice.
 * @param {Child[]} chosen The choice, as the closed menu shows it.
 * @param {Link[]} links
 * @param {{ isFiltered?: boolean, staysOpen?: boolean }} [kind]
 */
function pickerOf(name, chosen, links, { isFiltered = false, staysOpen = false } = {}) {
  const items = links.map(({ id, href, isChosen, content }) => ({
    id,
    link: element("a", { id, href, "aria-current": isChosen && "true" }, content),
  }));
  const list = isFiltered
    ? filtered(name, items)
    : element(
        "ul",
        {},
        items.map(({ id, link }) => element("li", { key: id }, link)),
      );
  return menu(name, chosen, [list], staysOpen);
}

/**
 * @param {string} name The name of the choice.
 * @param {Choice[]} choices
 */
function picker(name, choices) {
  const id = (/** @type {string} */ text) => `pick-${name}-${text}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const links = choices.map(({ text, href, isChosen }) => ({ id: id(text), href, isChosen, content: [text] }));
  const chosen = choices.find(({ isChosen }) => isChosen)?.text ?? "–";
  return pickerOf(name, [chosen], links);
}

/**
 * Builds the picker of the leagues with data, and of the league of the address.
 * @param {Address} address
 * @param {readonly League[]} leagues
 */
export function leaguePicker(address, leagues) {
  const elsewhere = isOwn(address) ? address : carried(address);
  const offered = leagues.includes(address.league) ? leagues : [...leagues, address.league];
  const choices = offered.map((league) => ({
    text: LEAGUE_NAMES[league],
    // Leagues have seasons and teams of their own.
    href: write(elsewhere, { league }, { season: null, team: null }),
    isChosen: league === address.league,
  }));
  return picker("League", choices);
}

/** @param {Address} address */
export function marketPicker(address) {
  const choices = MARKETS.map((market) => ({
    text: MARKET_NAMES[market],
    href: write(address, { market }, { strategy: null, strategies: null, offset: null }),
    isChosen: market === address.market,
  }));
  return picker("Market", choices);
}

/**
 * Builds the picker of seasons, newest first.
 * @param {Address} address
 * @param {string[]} seasons
 * @param {string | null} served The displayed season.
 */
export function seasonPicker(address, seasons, served) {
  const choices = seasons.map((season) => ({
    text: season,
    href: write(address, {}, { season, offset: null }),
    isChosen: season === served,
  }));
  return picker("Season", choices);
}

/**
 * Builds the picker of one value of an option.
 * @param {Address} address
 * @param {string} name
 * @param {string} option
 * @param {[string, string][]} values Codes and their words.
 * @param {string} chosen
 */
export function optionPicker(address, name, option, values, chosen) {
  const choices = values.map(([value, text]) => ({
    text,
    href: write(address, {}, { [option]: value, offset: null }),
    isChosen: value === chosen,
  }));
  return picker(name, choices);
}

/**
 * Builds the links to models: each with its line, its title and, for a retired model, a mark.
 * @param {string} name The name of the choice.
 * @param {Models} league
 * @param {string[]} models
 * @param {string[]} chosen
 * @param {(model: string) => string} hrefOf
 */
function linksOfModels(name, league, models, chosen, hrefOf) {
  return league.ordered(models).map((model) => ({
    id: `pick-${name.toLowerCase()}-${model}`,
    href: hrefOf(model),
    isChosen: chosen.includes(model),
    content: [
      league.names.length > 0 && swatch(league.tone(model)),
      league.label(model),
      league.isRetired(model) && " ",
      league.isRetired(model) && element("small", { class: "chip" }, "retired"),
    ],
  }));
}

/**
 * Builds the picker of the model of a view.
 * @param {Address} address
 * @param {Models} league
 * @param {string[]} models
 * @param {string} chosen
 */
export function modelPicker(address, league, models, chosen) {
  const href = (/** @type {string} */ model) => write(address, {}, { model });
  const links = linksOfModels("Model", league, [...models, chosen], [chosen], href);
  return pickerOf("Model", [chosen], links, { isFiltered: links.length > FEW });
}

/**
 * Builds the picker of any number of models.
 * @param {Address} address
 * @param {Models} league
 * @param {string[]} models
 * @param {string[]} chosen
 */
export function modelsPicker(address, league, models, chosen) {
  const links = linksOfModels("Models", league, models, chosen, (model) => {
    const others = chosen.filter((other) => other !== model);
    const next = chosen.includes(model) ? others : [...others, model];
    return write(address, {}, { models: next.join(",") || null });
  });
  const kind = { isFiltered: links.length > FEW, staysOpen: true };
  return pickerOf("Models", [`${chosen.length} of ${links.length}`], links, kind);
}

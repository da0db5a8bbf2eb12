// The page: the view of the address, and the parts around it.

import { carried, read, write } from "./address.js";
import { Refusal, get } from "./api.js";
import { synchronize } from "./clock.js";
import { byId, element, replace } from "./dom.js";
import { key, onChange, onRefusal } from "./key.js";
import { failure } from "./parts/failure.js";
import { keyForm, keyNeeded } from "./parts/key-form.js";
import { leaguePicker, marketPicker } from "./parts/pickers.js";
import * as account from "./views/account.js";
import * as freshness from "./views/freshness.js";
import * as record from "./views/record.js";
import * as results from "./views/results.js";
import * as strategies from "./views/strategies.js";
import * as teams from "./views/teams.js";
import * as today from "./views/today.js";
import * as trackRecord from "./views/track-record.js";

/** @import { Address } from "./address.js" */
/** @import { Child } from "./dom.js" */
/**
 * The context of a view.
 * @typedef {object} Context
 * @property {Address} address
 * @property {AbortSignal} signal Aborted when the view is left.
 * @property {() => Promise<void>} again Rebuilds the view.
 */
/**
 * @typedef {object} View
 * @property {string} title
 * @property {{ league?: boolean, market?: boolean }} [picks] The pickers of the view.
 * @property {boolean} [needsKey]
 * @property {(context: Context) => Promise<Child[]>} show
 */

/** @type {Record<string, View>} */
const VIEWS = {
  freshness,
  today,
  "track-record": trackRecord,
  strategies,
  teams,
  results,
  record,
  account,
};

let leaving = new AbortController();

async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const address = read(location.hash);
  const view = VIEWS[address.view] ?? freshness;
  const name = VIEWS[address.view] ? address.view : "freshness";
  const main = byId("main");
  const isNew = main.dataset.view !== name;
  document.title = `${view.title} – Sports model data`;
  links(name, address);
  main.setAttribute("aria-busy", "true");
  delete main.dataset.shown;
  const heading = element("h1", { tabindex: "-1", id: "title" }, view.title);
  const around = [
    heading,
    view.picks?.league && leaguePicker({ ...address, view: name }),
    view.picks?.market && marketPicker({ ...address, view: name }),
  ];
  if (isNew) {
    main.dataset.view = name;
    replace(main, ...around, element("p", { class: "note" }, "Loading…"));
  }
  const content = await contentOf(view, { address: { ...address, view: name }, signal, again: show });
  if (signal.aborted) {
    return;
  }
  replace(main, ...around, ...content);
  main.removeAttribute("aria-busy");
  main.dataset.shown = location.hash;
  if (isNew && hasMoved) {
    heading.focus();
  }
}

/** True once a person has changed the view: the first view does not take the focus. */
let hasMoved = false;

/**
 * @param {View} view
 * @param {Context} context
 * @returns {Promise<Child[]>}
 */
async function contentOf(view, context) {
  if (view.needsKey && key() === null) {
    return [keyNeeded(carried(context.address))];
  }
  try {
    return await view.show(context);
  } catch (error) {
    if (context.signal.aborted) {
      return [];
    }
    return [
      failure(error, show),
      error instanceof Refusal &&
        error.status === 404 &&
        element("p", {}, "Another league or market may have what this one lacks."),
    ];
  }
}

/**
 * @param {string} current
 * @param {Address} address
 */
function links(current, address) {
  const elsewhere = carried(address);
  const items = Object.entries(VIEWS).map(([name, { title }]) => {
    const href = write(elsewhere, { view: name });
    const link = element("a", { id: `view-${name}`, href, "aria-current": name === current && "page" }, title);
    return element("li", {}, link);
  });
  replace(byId("views"), items);
}

/** Displays the server's description of itself. */
async function greet() {
  const { simulated, version, commit } = await get("/");
  byId("simulated").hidden = !simulated;
  byId("build").textContent = `Version ${version}, commit ${commit}.`;
}

function showKey() {
  replace(byId("key"), keyForm("key-field"));
}

byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("title").focus();
});
addEventListener("hashchange", () => {
  hasMoved = true;
  void show();
});
onChange(() => {
  showKey();
  void show();
});
onRefusal(showKey);
showKey();
// If the server does not answer, the view reports it.
const unneeded = () => {};
void greet().catch(unneeded);
await synchronize().catch(unneeded);
await show();

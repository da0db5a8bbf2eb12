// A rule as a sentence whose values are controls. A change of one opens the address of the changed rule.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { read, write } from "../address.js";
import { element, part } from "../dom.js";
import { PARAMETERS, isOwn } from "../rule.js";
import { capitalised, modelName, sides } from "../words.js";
import { typedField } from "./typed-field.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Address } from "../address.js" */
/** @import { Models } from "../models.js" */
/**
 * @typedef {object} Field
 * @property {string} name The parameter.
 * @property {string} before The words before its control, which name it.
 * @property {string} [label] Its whole name, if these words need the ones before them.
 * @property {string} [after]
 * @property {string} [type]
 * @property {string} [hint]
 * @property {string} [standard] The value of the API that stands for no value.
 * @property {[string, string][]} [values] Its values and their words.
 */
/** @typedef {{ name: string, fields: Field[] }} Condition */

/** @type {Field} */
const STAKE = {
  name: "stake",
  before: "Bet",
  standard: "flat",
  values: [
    ["", "one unit"],
    ["kelly", "by Kelly’s formula"],
  ],
};

/** @type {Field[]} */
const KELLY = [
  { name: "fraction", before: "with the share", hint: "0.25" },
  { name: "max_stake", before: "and at most", hint: "0.05", after: "of the bank" },
];

/** @type {Field} */
const BET = {
  name: "bet",
  before: "on",
  standard: "value",
  values: [
    ["", "the side that the model rates above the market"],
    ["fade_value", "the side that the model rates below the market"],
    ["pick", "the side that the model favours"],
    ["fade", "the side that the model does not favour"],
    ["line", "the side that the line moved to"],
    ["fade_line", "the side that the line moved away from"],
  ],
};

/**
 * Returns the condition of a quantity within a range.
 * @param {string} what
 * @param {string} name
 * @param {string} [hint]
 * @returns {Condition}
 */
function range(what, name, hint = "any") {
  const from = { name: `min_${name}`, before: `the ${what} is from`, hint };
  return { name: what, fields: [from, { name: `max_${name}`, before: "to", label: `${what}, to`, hint: "any" }] };
}

const DAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(" ");

/** @type {Condition[]} */
const CONDITIONS = [
  range("edge", "edge", "0.03"),
  range("expected value", "ev"),
  range("probability", "probability"),
  range("price", "price"),
  range("line", "line"),
  {
    name: "movement of the line",
    fields: [
      {
        name: "line_move",
        before: "the line moved",
        values: [
          ["with", "to the side"],
          ["against", "away from the side"],
          ["none", "not at all"],
        ],
      },
    ],
  },
  {
    name: "agreement of models",
    fields: [
      { name: "agree", before: "at least", hint: "2" },
      { name: "models", before: "of", label: "agreement: of", hint: "BLEND,XGB", after: "favour the side" },
    ],
  },
  { name: "team", fields: [{ name: "team", before: "the team is", hint: "buffalo_bills" }] },
  {
    name: "weekday",
    fields: [{ name: "weekday", before: "the day is a", values: DAYS.map((day) => [day, capitalised(day)]) }],
  },
  {
    name: "month",
    fields: [
      { name: "month", before: "the month is", values: MONTHS.map((month, place) => [String(place + 1), month]) },
    ],
  },
  {
    name: "dates",
    fields: [
      { name: "from", before: "the date is from", type: "date" },
      { name: "to", before: "to", label: "dates, to", type: "date" },
    ],
  },
  {
    name: "source of forecasts",
    fields: [
      {
        name: "forecast_source",
        before: "the forecast is",
        standard: "all",
        values: [
          ["recorded", "recorded here before play"],
          ["live", "live, recorded here or imported"],
          ["walk_forward", "walk-forward"],
        ],
      },
    ],
  },
  {
    name: "hours before the start",
    fields: [{ name: "hours_before", before: "all is as known", hint: "6", after: "hours before the start" }],
  },
];

/**
 * Opens the address of the rule in a form. A change that the browser reports of a form while it is removed is none.
 * @param {HTMLFormElement} form
 * @param {Address} address
 * @param {Condition} [removed] The condition without which it is.
 */
function apply(form, address, removed) {
  if (!form.isConnected || !isOwn(read(location.hash, []))) {
    return;
  }
  const typed = new FormData(form);
  removed?.fields.forEach(({ name }) => typed.delete(name));
  const wanted = Object.fromEntries(PARAMETERS.map((name) => [name, String(typed.get(name) ?? "").trim() || null]));
  if (wanted.stake !== "kelly") {
    [wanted.fraction, wanted.max_stake] = [null, null];
  }
  location.hash = write(address, {}, wanted);
}

/**
 * Builds the form of the rule in an address.
 * @param {Address} address
 * @param {Models} league
 * @param {string[]} seasons Newest first.
 * @param {Signal<string>} refused The parameter that the API has refused.
 */
export function ruleForm(address, league, seasons, refused) {
  return part(RuleForm, { address, league, seasons, refused });
}

const ADD = "rule-add";

/** @param {{ address: Address, league: Models, seasons: string[], refused: Signal<string> }} props */
function RuleForm({ address, league, seasons, refused }) {
  const { market, options } = address;
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  /** The names of the conditions that were added; they stay, also without a value. */
  const added = useSignal([CONDITIONS[0].name]);
  /** The control that gets the focus once it is there. */
  const next = useRef("");
  useLayoutEffect(() => {
    if (next.current) {
      document.getElementById(next.current)?.focus();
      next.current = "";
    }
  });
  const change = (/** @type {Event} */ { target, currentTarget }) => {
    if (!(target instanceof HTMLSelectElement) || target.id !== ADD) {
      apply(/** @type {HTMLFormElement} */ (currentTarget), address);
      return;
    }
    const { name, fields } = CONDITIONS[Number(target.value)];
    target.value = "";
    next.current = `rule-${fields[0].name}`;
    added.value = [...added.value.filter((other) => other !== name), name];
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    apply(/** @type {HTMLFormElement} */ (event.currentTarget), address);
  };
  const remove = (/** @type {Condition} */ condition) => {
    next.current = ADD;
    added.value = added.value.filter((name) => name !== condition.name);
    if (form.current) {
      apply(form.current, address, condition);
    }
  };
  const fields = [
    STAKE,
    ...(options.get("stake") === "kelly" ? KELLY : []),
    BET,
    modelField(league, market),
    seasonField(seasons),
    {
      name: "side",
      before: "where the side is",
      values: /** @type {[string, string][]} */ (
        ["", ...sides(market), "favourite", "underdog"].map((side) => [side, side || "any"])
      ),
    },
  ];
  const isThere = (/** @type {Condition} */ { name, fields: of }) =>
    added.value.includes(name) || of.some((field) => options.has(field.name));
  return element(
    "form",
    { class: "rule", id: "rule", "aria-label": "The rule", ref: form, on: { change, submit } },
    fields.map((field) => control(field, options, refused)),
    element(
      "span",
      { class: "conditions" },
      CONDITIONS.filter(isThere).map((condition) => conditionOf(condition, options, refused, () => remove(condition))),
    ),
    element(
      "label",
      {},
      "Add a condition: ",
      element(
        "select",
        { id: ADD },
        element("option", { value: "" }, "…"),
        CONDITIONS.map(({ name }, place) => element("option", { value: place }, name)),
      ),
    ),
  );
}

/**
 * @param {Models} league
 * @param {Address["market"]} market
 * @returns {Field}
 */
function modelField(league, market) {
  const standard = league.headlineOf(market);
  const others = league.ordered(league.names).filter((name) => name !== standard && name !== "IMPLIED");
  const values = ["", ...others].map((name) => [name, modelName(name || standard)]);
  return { name: "model", before: "with the model", standard, values: /** @type {[string, string][]} */ (values) };
}

/**
 * @param {string[]} seasons
 * @returns {Field}
 */
function seasonField([newest, ...before]) {
  /** @type {[string, string][]} */
  const several = [
    ["all", "all seasons"],
    [before.join(","), `all seasons before ${newest}`],
  ];
  /** @type {[string, string][]} */
  const values = [newest, ...before].map((season) => [season, season]);
  return {
    name: "season",
    before: "in",
    values: [["", "the current season"], ...values, ...(before.length > 1 ? several : several.slice(0, 1))],
  };
}

/**
 * Builds the control of a field in its words. A value that the field does not have is kept, for the API to refuse.
 * @param {Field} field
 * @param {URLSearchParams} options
 * @param {Signal<string>} refused
 */
function control({ name, before, label, after, type = "text", hint, standard, values }, options, refused) {
  const given = options.get(name) ?? "";
  const value = given === standard ? "" : given;
  const isRefused = refused.value === name;
  const named = {
    ...{ id: `rule-${name}`, name, "aria-label": label },
    ...(isRefused && { "aria-invalid": "true", "aria-describedby": "rule-refused" }),
  };
  if (!values) {
    const typed = { ...named, type, placeholder: hint, autocomplete: "off", spellcheck: "false" };
    return element("label", { key: name }, before, " ", typedField(typed, value), after && ` ${after}`);
  }
  /** @type {[string, string][]} */
  const offered = [value, ""].filter((one) => !values.some(([known]) => known === one)).map((one) => [one, one || "…"]);
  const select = element(
    "select",
    named,
    [...offered, ...values].map(([one, text]) =>
      element("option", { key: one, value: one, selected: one === value }, text),
    ),
  );
  return element("label", { key: name }, before, " ", select);
}

/**
 * @param {Condition} condition
 * @param {URLSearchParams} options
 * @param {Signal<string>} refused
 * @param {() => void} remove
 */
function conditionOf({ name, fields }, options, refused, remove) {
  const id = `rule-remove-${fields[0].name}`;
  const attributes = { type: "button", id, class: "overlay", "aria-label": `Remove the condition: ${name}` };
  return element(
    "span",
    { class: "condition", key: name },
    fields.map((field, place) =>
      control({ ...field, before: place === 0 ? `and ${field.before}` : field.before }, options, refused),
    ),
    element("button", { ...attributes, on: { click: remove } }, "×"),
  );
}

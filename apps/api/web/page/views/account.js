// The caller's account: usage against quota, keys, datasets.

import { Refusal, change, get } from "../api.js";
import { byId, element, replace, section } from "../dom.js";
import { now } from "../clock.js";
import { count, instant, utc } from "../format.js";
import { key, onChange } from "../key.js";
import { table } from "../parts/table.js";
import { LEAGUE_NAMES } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Child } from "../dom.js" */
/** @import { Context } from "../main.js" */

export const title = "Account";
export const needsKey = true;

const KEYS = "/api/v1/customers/me/api-keys";
const DATASETS = "/api/v1/service-sports-data/status";

/** @typedef {{ url: string, filename: string, expires_at: string }} Download */

/**
 * The download links that were made with this key. They used up a refresh, so they survive leaving the view.
 * @type {Download[]}
 */
let made = [];
onChange(() => (made = []));

/** @param {Context} context */
export async function show({ signal, again }) {
  const [customer, usage, keys, datasets] = await Promise.all([
    get("/api/v1/customers/me", { signal }),
    get("/api/v1/customers/me/usage", { signal }),
    withSubscription(get(KEYS, { signal })),
    withSubscription(get(DATASETS, { signal })),
  ]);
  const unsubscribed = () => element("p", { class: "empty" }, "This needs an active subscription.");
  return [
    element(
      "p",
      {},
      `${customer.name}, ${customer.email}, plan ${customer.api_plan ?? "none"}, subscription ${customer.api_subscription_status}.`,
    ),
    section("Usage", usageMeter(usage)),
    section("API keys", ...(keys ? keyList(keys, again) : [unsubscribed()])),
    section("Datasets", ...(datasets ? datasetList(datasets) : [unsubscribed()])),
  ];
}

/**
 * Requests a path; null if the key's customer has no subscription.
 * @template T
 * @param {Promise<T>} asked
 * @returns {Promise<T | null>}
 */
async function withSubscription(asked) {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) {
      return null;
    }
    throw error;
  }
}

/** @param {Answer<"/api/v1/customers/me/usage">} usage */
function usageMeter({ monthly_requests: used, monthly_limit: limit, requests_remaining: left, reset_date: reset }) {
  return element(
    "div",
    {},
    element("meter", { min: 0, max: limit, value: used, "aria-label": "Requests of this month" }),
    element(
      "p",
      { id: "usage" },
      `${count(used)} of ${count(limit)} requests of this month are used, ${count(left)} are left. The count starts again ${utc(reset)}.`,
    ),
  );
}

/**
 * @param {Answer<"/api/v1/customers/me/api-keys">} keys
 * @param {() => Promise<void>} again
 * @returns {Child[]}
 */
function keyList(keys, again) {
  // The status is shown once the list is rebuilt.
  const withStatus = (/** @type {() => Promise<Child[]>} */ work) => async () => {
    try {
      const done = await work();
      await again();
      showStatus(...done);
    } catch (error) {
      showStatus(complaint(error));
    }
  };
  const columns = [
    { head: "Name" },
    { head: "Key" },
    { head: "Created", line: true },
    { head: "Expires", line: true },
    { head: "State" },
    { head: "Change" },
  ];
  const rows = keys.map(
    ({ name, api_key: masked, created_at: created, expires_at: expires, is_active: isActive }, index) => ({
      id: `key-${index}`,
      marked: isInUse(masked),
      cells: [
        element(
          "span",
          {},
          name,
          isInUse(masked) && " ",
          isInUse(masked) && element("span", { class: "chip" }, "in use here"),
        ),
        element("code", {}, masked),
        instant(created),
        expires ? instant(expires) : "never",
        isActive ? "active" : "not active",
        isActive ? keyActions(index, name, masked, withStatus) : "–",
      ],
    }),
  );
  return [
    table({ caption: "Your keys", columns, rows }),
    newKey(withStatus),
    element("div", { role: "status", id: "keys-status", tabindex: "-1" }),
  ];
}

/** Returns whether this tab uses the key with a masked form. @param {string} masked */
function isInUse(masked) {
  return key()?.startsWith(masked.replace(/\*+$/, "")) ?? false;
}

/**
 * Builds a button that copies a text.
 * @param {string} id
 * @param {string} text
 */
function copyButton(id, text) {
  const click = async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Without a secure connection a page has no clipboard.
      button.textContent = "Select it and copy it by hand";
    }
  };
  const button = element("button", { type: "button", id, on: { click: () => void click() } }, "Copy");
  return button;
}

/** Shows the result of a change. It takes the focus, as the control that was used is gone. @param {...Child} content */
function showStatus(...content) {
  const place = byId("keys-status");
  replace(place, ...content);
  place.focus();
}

/** @param {unknown} error */
function complaint(error) {
  return element("p", { class: "alert" }, error instanceof Error ? `${error.message}.` : String(error));
}

/**
 * @param {number} index
 * @param {string} name
 * @param {string} masked
 * @param {(work: () => Promise<Child[]>) => () => Promise<void>} withStatus
 */
function keyActions(index, name, masked, withStatus) {
  const field = element("input", {
    id: `key-${index}-name`,
    "aria-label": `New name of ${name}`,
    value: name,
    maxlength: 64,
  });
  const rename = withStatus(async () => {
    const { message } = await change("PATCH", `${KEYS}/rename`, {
      body: { api_key_to_rename: masked, new_name: field.value },
    });
    return [element("p", {}, `${message}.`)];
  });
  const revoke = withStatus(async () => {
    const { message } = await change("DELETE", `${KEYS}/{api_key}`, { path: { api_key: masked } });
    return [element("p", {}, `${message}.`)];
  });
  return element(
    "span",
    { class: "actions" },
    field,
    element(
      "button",
      { type: "button", id: `key-${index}-rename`, "aria-label": `Rename ${name}`, on: { click: rename } },
      "Rename",
    ),
    confirmed(`key-${index}-revoke`, "Revoke", `Revoke ${name}`, "Revoke for good", revoke),
  );
}

/**
 * Builds a button that needs a confirmation.
 * @param {string} id
 * @param {string} text
 * @param {string} label
 * @param {string} question
 * @param {() => void} work
 */
function confirmed(id, text, label, question, work) {
  let isSure = false;
  const click = () => {
    if (isSure) {
      work();
    }
    isSure = !isSure;
    button.textContent = isSure ? question : text;
    button.setAttribute("aria-label", isSure ? `${label}: ${question}` : label);
  };
  const button = element("button", { type: "button", id, "aria-label": label, class: "danger", on: { click } }, text);
  return button;
}

/** @param {(work: () => Promise<Child[]>) => () => Promise<void>} withStatus */
function newKey(withStatus) {
  const field = element("input", { id: "new-key-name", required: true, maxlength: 64 });
  const create = withStatus(async () => {
    const { api_key: created, warning } = await change("POST", KEYS, { body: { name: field.value } });
    return [
      element("p", {}, `${warning}:`),
      element("p", {}, element("code", { id: "new-key" }, created), " ", copyButton("copy-key", created)),
    ];
  });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void create();
  };
  return element(
    "form",
    { class: "new-key", on: { submit } },
    element("label", { for: "new-key-name" }, "Name of a new key"),
    field,
    element("button", { type: "submit", id: "create-key" }, "Create"),
  );
}

/**
 * @param {Answer<"/api/v1/service-sports-data/status">} datasets
 * @returns {Child[]}
 */
function datasetList(datasets) {
  const {
    has_service_sports_data: isOwner,
    owned_products: products,
    owned_sports: sports,
    expires_at: expires,
  } = datasets;
  if (!isOwner) {
    return [element("p", { class: "empty" }, "You own no datasets. They are bought apart from the API plan.")];
  }
  const links = element("div", { role: "status", id: "dataset-links" }, downloadList());
  const refreshes = element("p", { id: "refreshes" }, allowance(datasets));
  const refresh = async () => {
    try {
      ({ downloads: made } = await change("POST", "/api/v1/service-sports-data/refresh"));
      replace(links, downloadList());
      replace(refreshes, allowance(await get(DATASETS)));
    } catch (error) {
      replace(links, downloadList(), complaint(error));
    }
  };
  return [
    element(
      "p",
      {},
      `You own ${products.join(", ")} for ${sports.map((sport) => LEAGUE_NAMES[sport]).join(", ")}${expires ? `, until ${instant(expires)}` : ""}.`,
    ),
    refreshes,
    confirmed("refresh", "Make download links", "Make download links", "Yes: use up one refresh", refresh),
    links,
  ];
}

/** @param {Answer<typeof DATASETS>} datasets */
function allowance({ refreshes_used: used, refresh_limit: limit, refreshes_remaining: left, next_reset_at: reset }) {
  return `${count(used)} of ${count(limit)} refreshes of this month are used, ${count(left)} are left. The count starts again ${utc(reset)}.`;
}

/** Returns the links that have not expired. */
function downloadList() {
  const links = made.filter(({ expires_at: until }) => Date.parse(until) > now());
  const items = links.map(({ url, filename, expires_at: until }) =>
    element(
      "li",
      {},
      element("a", { href: url, download: filename, rel: "noreferrer" }, filename),
      ` until ${instant(until)}`,
    ),
  );
  return items.length > 0 && element("ul", {}, items);
}

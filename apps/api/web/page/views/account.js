// The caller's account: usage against quota, keys, datasets.

import { signal as state, useSignal } from "@preact/signals";
import { Refusal, change, get } from "../api.js";
import { byId, element, part, section } from "../dom.js";
import { now } from "../clock.js";
import { count, instant, utc } from "../format.js";
import { key, onChange } from "../key.js";
import { table } from "../parts/table.js";
import { LEAGUE_NAMES } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Signal } from "@preact/signals" */
/** @import { Child, Children } from "../dom.js" */
/** @import { Context } from "../main.js" */

export const title = "Account";
export const needsKey = true;

const KEYS = "/api/v1/customers/me/api-keys";
const DATASETS = "/api/v1/service-sports-data/status";

/** @typedef {{ url: string, filename: string, expires_at: string }} Download */

/** The download links that were made with this key. They used up a refresh, so they survive leaving the view. */
const made = state(/** @type {Download[]} */ ([]));
onChange(() => (made.value = []));

/** @param {Context} context */
export async function show({ signal, again, keep }) {
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
    section(
      "API keys",
      keys ? keyList(keys, again, keep("keys-status", /** @type {Children} */ (null))) : unsubscribed(),
    ),
    section("Datasets", datasets ? part(Datasets, { datasets }) : unsubscribed()),
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
 * @param {Signal<Children>} status The result of the last change.
 * @returns {Children}
 */
function keyList(keys, again, status) {
  // The status is shown once the list is there. It takes the focus, as the control that was used may be gone.
  const withStatus = (/** @type {() => Promise<Children>} */ work) => async () => {
    try {
      const done = await work();
      await again();
      status.value = done;
    } catch (error) {
      status.value = complaint(error);
    }
    byId(STATUS).focus();
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
    element("div", { role: "status", id: STATUS, tabindex: "-1" }, status),
  ];
}

const STATUS = "keys-status";

/** Returns whether this tab uses the key with a masked form. @param {string} masked */
function isInUse(masked) {
  return key()?.startsWith(masked.replace(/\*+$/, "")) ?? false;
}

/**
 * A button that copies a text.
 * @param {{ id: string, text: string }} props
 */
function CopyButton({ id, text }) {
  const said = useSignal("Copy");
  const click = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied";
    } catch {
      // Without a secure connection a page has no clipboard.
      said.value = "Select it and copy it by hand";
    }
  };
  return element("button", { type: "button", id, on: { click: () => void click() } }, said.value);
}

/** The id of the field with the name of a new key. */
const NEW_NAME = "new-key-name";

/** Returns the text of a field. @param {string} id */
function typedIn(id) {
  return /** @type {HTMLInputElement} */ (byId(id)).value;
}

/** @param {unknown} error */
function complaint(error) {
  return element("p", { class: "alert" }, error instanceof Error ? `${error.message}.` : String(error));
}

/**
 * @param {number} index
 * @param {string} name
 * @param {string} masked
 * @param {(work: () => Promise<Children>) => () => Promise<void>} withStatus
 */
function keyActions(index, name, masked, withStatus) {
  const field = `key-${index}-name`;
  const rename = withStatus(async () => {
    const { message } = await change("PATCH", `${KEYS}/rename`, {
      body: { api_key_to_rename: masked, new_name: typedIn(field) },
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
    element("input", {
      ...{ id: field, key: name, "aria-label": `New name of ${name}`, defaultValue: name, maxlength: 64 },
    }),
    element(
      "button",
      { type: "button", id: `key-${index}-rename`, "aria-label": `Rename ${name}`, on: { click: rename } },
      "Rename",
    ),
    part(Confirmed, {
      ...{
        id: `key-${index}-revoke`,
        text: "Revoke",
        label: `Revoke ${name}`,
        question: "Revoke for good",
        work: revoke,
      },
    }),
  );
}

/**
 * A button that needs a confirmation.
 * @param {{ id: string, text: string, label: string, question: string, work: () => void }} props
 */
function Confirmed({ id, text, label, question, work }) {
  const isSure = useSignal(false);
  const click = () => {
    if (isSure.value) {
      work();
    }
    isSure.value = !isSure.value;
  };
  const named = isSure.value ? `${label}: ${question}` : label;
  const attributes = { type: "button", id, "aria-label": named, class: "danger", on: { click } };
  return element("button", attributes, isSure.value ? question : text);
}

/** @param {(work: () => Promise<Children>) => () => Promise<void>} withStatus */
function newKey(withStatus) {
  const create = withStatus(async () => {
    const { api_key: created, warning } = await change("POST", KEYS, { body: { name: typedIn(NEW_NAME) } });
    /** @type {HTMLInputElement} */ (byId(NEW_NAME)).value = "";
    return [
      element("p", {}, `${warning}:`),
      element(
        "p",
        {},
        element("code", { id: "new-key" }, created),
        " ",
        part(CopyButton, { id: "copy-key", text: created, key: created }),
      ),
    ];
  });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void create();
  };
  return element(
    "form",
    { class: "new-key", on: { submit } },
    element("label", { for: NEW_NAME }, "Name of a new key"),
    element("input", { id: NEW_NAME, required: true, maxlength: 64 }),
    element("button", { type: "submit", id: "create-key" }, "Create"),
  );
}

/** @param {{ datasets: Answer<typeof DATASETS> }} props */
function Datasets({ datasets }) {
  const allowed = useSignal(datasets);
  const trouble = useSignal(/** @type {Child} */ (null));
  const {
    has_service_sports_data: isOwner,
    owned_products: products,
    owned_sports: sports,
    expires_at: expires,
  } = datasets;
  if (!isOwner) {
    return element("p", { class: "empty" }, "You own no datasets. They are bought apart from the API plan.");
  }
  const refresh = async () => {
    try {
      const { downloads } = await change("POST", "/api/v1/service-sports-data/refresh");
      [made.value, trouble.value] = [downloads, null];
      allowed.value = await get(DATASETS);
    } catch (error) {
      trouble.value = complaint(error);
    }
  };
  return [
    element(
      "p",
      {},
      `You own ${products.join(", ")} for ${sports.map((sport) => LEAGUE_NAMES[sport]).join(", ")}${expires ? `, until ${instant(expires)}` : ""}.`,
    ),
    element("p", { id: "refreshes" }, allowance(allowed.value)),
    part(Confirmed, {
      ...{
        id: "refresh",
        text: "Make download links",
        label: "Make download links",
        question: "Yes: use up one refresh",
      },
      work: () => void refresh(),
    }),
    element("div", { role: "status", id: "dataset-links" }, downloadList(), trouble.value),
  ];
}

/** @param {Answer<typeof DATASETS>} datasets */
function allowance({ refreshes_used: used, refresh_limit: limit, refreshes_remaining: left, next_reset_at: reset }) {
  return `${count(used)} of ${count(limit)} refreshes of this month are used, ${count(left)} are left. The count starts again ${utc(reset)}.`;
}

/** Returns the links that have not expired. */
function downloadList() {
  const links = made.value.filter(({ expires_at: until }) => Date.parse(until) > now());
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

// Requests to the API of the page's server.

import { hasKey, isRefused, key, reason, refuse } from "./key.js";

/** @import { paths } from "openapi" */

/**
 * The answer of a path, as the API's own document describes it.
 * @template {keyof paths} P
 * @typedef {paths[P] extends { get: { responses: { 200: { content: { "application/json": infer A } } } } } ? A : never} Answer
 */

/** @typedef {Record<string, string | number | null | undefined>} Values */

/** The refusal of a request, with its reason. */
export class Refusal extends Error {
  /**
   * @param {Response} response
   * @param {string} detail
   */
  constructor(response, detail) {
    super(detail);
    this.status = response.status;
    this.requestId = response.headers.get("X-Request-Id");
    /** The seconds until a retry, if the API states them. */
    this.retryAfter = Number(response.headers.get("Retry-After")) || null;
  }
}

/** A request without an answer. */
export class Unreachable extends Error {}

/** The base address of the API: one folder above this page. */
export const ROOT = new URL("..", document.baseURI);

/** The number of requests at a time: the API refuses a fifth expensive one that waits for a caller. */
const AT_ONCE = 4;
let open = 0;
/** @type {(() => void)[]} */
const waiting = [];

/**
 * Awaits an answer, which is requested once fewer than `AT_ONCE` are open.
 * @template T
 * @param {() => Promise<T>} request
 */
async function inTurn(request) {
  if (open < AT_ONCE) {
    open += 1;
  } else {
    await new Promise((resolve) => waiting.push(() => resolve(undefined)));
  }
  try {
    return await request();
  } finally {
    const next = waiting.shift();
    if (next) {
      next();
    } else {
      open -= 1;
    }
  }
}

/**
 * Returns the address of a path.
 * @param {string} template
 * @param {Values} path
 * @param {Values} query
 */
export function addressOf(template, path, query) {
  const filled = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])));
  const url = new URL(filled.slice(1), ROOT);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") {
      url.searchParams.set(name, String(value));
    }
  }
  return url;
}

/**
 * @param {string} template
 * @param {{ path?: Values, query?: Values, signal?: AbortSignal, method?: string, body?: object, accept?: string }} asked
 */
async function ask(template, { path = {}, query = {}, signal, method = "GET", body, accept = "application/json" }) {
  const address = addressOf(template, path, query);
  /** @type {string | null} */
  let sent = null;
  const send = () => {
    const headers = new Headers({ Accept: accept });
    // A refused key is not sent again: what is public needs none, and the server counts wrong keys.
    sent = hasKey() ? key() : null;
    if (sent !== null) {
      headers.set("X-API-Key", sent);
    }
    if (body) {
      headers.set("Content-Type", "application/json");
    }
    const request = { method, headers, signal, body: body && JSON.stringify(body) };
    return fetch(address, { ...request, credentials: "omit", redirect: "error" });
  };
  const answered = async () => {
    try {
      return await inTurn(send);
    } catch (error) {
      if (signal?.aborted) {
        throw error;
      }
      throw new Unreachable("The server does not answer", { cause: error });
    }
  };
  let response = await answered();
  if (response.status === 401 && sent !== null) {
    refuse(sent, await refusalOf(response));
    response = await answered();
  }
  if (!response.ok) {
    const isWrongKey = response.status === 401 && isRefused();
    throw new Refusal(response, isWrongKey ? reason() : await refusalOf(response));
  }
  return response;
}

/** @param {Response} response */
async function refusalOf(response) {
  try {
    return String((await response.json()).detail);
  } catch {
    return `The server answered ${response.status}`;
  }
}

/**
 * Requests a path.
 * @template {keyof paths} P
 * @param {P} template
 * @param {{ path?: Values, query?: Values, signal?: AbortSignal }} [asked]
 * @returns {Promise<Answer<P>>}
 */
export async function get(template, asked = {}) {
  return (await ask(template, asked)).json();
}

/**
 * Requests a path; null if the API has no such path, or no data there.
 * @template {keyof paths} P
 * @param {P} template
 * @param {{ path?: Values, query?: Values, signal?: AbortSignal }} [asked]
 * @returns {Promise<Answer<P> | null>}
 */
export function getIfThere(template, asked) {
  return ifThere(get(template, asked));
}

/**
 * Returns an answer; null if the API has no such path, or no data there.
 * @template T
 * @param {Promise<T>} answer
 */
export async function ifThere(answer) {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) {
      return null;
    }
    throw error;
  }
}

/**
 * Sends a change.
 * @param {"POST" | "PATCH" | "DELETE"} method
 * @param {keyof paths} template
 * @param {{ path?: Values, body?: object }} [asked]
 */
export async function change(method, template, asked = {}) {
  return (await ask(template, { ...asked, method })).json();
}

/**
 * Requests a file; returns its content and its name.
 * @param {keyof paths} template
 * @param {{ path?: Values, query?: Values, signal?: AbortSignal }} asked
 */
export async function file(template, asked) {
  return (await ask(template, { ...asked, accept: "*/*" })).blob();
}

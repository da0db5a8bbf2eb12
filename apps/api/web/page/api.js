// Asking the API that this page comes from.

import { key, refuse } from "./key.js";

/** @import { paths } from "openapi" */

/**
 * What a path answers, as the API's own document describes it.
 * @template {keyof paths} P
 * @typedef {paths[P] extends { get: { responses: { 200: { content: { "application/json": infer A } } } } } ? A : never} Answer
 */

/** @typedef {Record<string, string | number | null | undefined>} Values */

/** The API refused to answer, and says why. */
export class Refusal extends Error {
  /**
   * @param {Response} response
   * @param {string} detail
   */
  constructor(response, detail) {
    super(detail);
    this.status = response.status;
    this.requestId = response.headers.get("X-Request-Id");
    /** In how many seconds to ask again, where the API says so. */
    this.retryAfter = Number(response.headers.get("Retry-After")) || null;
  }
}

/** No answer came. */
export class Unreachable extends Error {}

/** Where the API is: one folder above this page. */
const ROOT = new URL("..", document.baseURI);

/**
 * @param {string} template
 * @param {Values} path
 * @param {Values} query
 */
function address(template, path, query) {
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
  const headers = new Headers({ Accept: accept });
  const known = key();
  if (known !== null) {
    headers.set("X-API-Key", known);
  }
  if (body) {
    headers.set("Content-Type", "application/json");
  }
  const request = { method, headers, signal, body: body && JSON.stringify(body) };
  /** @type {Response} */
  let response;
  try {
    response = await fetch(address(template, path, query), { ...request, credentials: "omit", redirect: "error" });
  } catch (error) {
    if (signal?.aborted) {
      throw error;
    }
    throw new Unreachable("The server does not answer", { cause: error });
  }
  if (response.status === 401) {
    refuse(known);
  }
  if (!response.ok) {
    throw new Refusal(response, await refusalOf(response));
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
 * What a path answers.
 * @template {keyof paths} P
 * @param {P} template
 * @param {{ path?: Values, query?: Values, signal?: AbortSignal }} [asked]
 * @returns {Promise<Answer<P>>}
 */
export async function get(template, asked = {}) {
  return (await ask(template, asked)).json();
}

/**
 * The same; null where the API has no such path, or nothing there.
 * @template {keyof paths} P
 * @param {P} template
 * @param {{ path?: Values, query?: Values, signal?: AbortSignal }} [asked]
 * @returns {Promise<Answer<P> | null>}
 */
export async function getIfThere(template, asked) {
  try {
    return await get(template, asked);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) {
      return null;
    }
    throw error;
  }
}

/**
 * Changes something.
 * @param {"POST" | "PATCH" | "DELETE"} method
 * @param {keyof paths} template
 * @param {{ path?: Values, body?: object }} [asked]
 */
export async function change(method, template, asked = {}) {
  return (await ask(template, { ...asked, method })).json();
}

/**
 * A file, and the name to keep it under.
 * @param {keyof paths} template
 * @param {{ path?: Values, query?: Values, signal?: AbortSignal }} asked
 */
export async function file(template, asked) {
  return (await ask(template, { ...asked, accept: "*/*" })).blob();
}

/** The client of a server. */

import createClient, { type Client } from "openapi-fetch";

import { all, pages, rows, type Page, type Paged, type PagedParameters, type Row } from "./pages.js";
import type { components, paths } from "./schema.js";
import { follow, type StreamEvent, type StreamOptions } from "./stream.js";
import { EtagStore, patient, type Fetch } from "./transport.js";

type Sport = components["schemas"]["SportCode"];

export interface Options {
  /** The server's address without `/api/v1`; by default `SPORTS_URL`. */
  url?: string;
  /** The key, which is sent in a header; by default `SPORTS_API_KEY`. Without one, only what is public can be read. */
  key?: string;
  /** The time of a whole call in milliseconds, all its requests and pauses; 60,000 by default. */
  timeout?: number;
  /** The bytes of answers that are kept in memory for conditional requests; 64 MiB by default, 0 keeps none. */
  cacheBytes?: number;
  /** Sends requests; by default the global `fetch`. */
  fetch?: Fetch;
}

/** A server: the functions of `openapi-fetch` (`GET`, `POST`, …) for every operation of the document, and these. */
export type Api = Client<paths, "application/json"> & {
  /** Yields the pages of a list. A season that is published anew meanwhile throws a 409. */
  pages<P extends Paged>(path: P, params: PagedParameters<P>): AsyncGenerator<Page<P>, void, undefined>;
  /** Yields the rows of a list, page by page, as `pages` does. */
  rows<P extends Paged>(path: P, params: PagedParameters<P>): AsyncGenerator<Row<P>, void, undefined>;
  /** Returns all rows of a list, of one version: begins again after a 409. */
  all<P extends Paged>(path: P, params: PagedParameters<P>): Promise<Row<P>[]>;
  /** Yields the events of leagues, and connects again by itself. */
  stream(sports: Sport | readonly Sport[], options?: StreamOptions): AsyncGenerator<StreamEvent, void, undefined>;
};

/** Returns a client. Sends nothing yet. */
export function connect(options: Options = {}): Api {
  const url = (options.url ?? variable("SPORTS_URL"))?.replace(/\/+$/, "");
  if (!url)
    throw new TypeError("connect needs the server's address: connect({ url }), or SPORTS_URL in the environment");
  const key = options.key ?? variable("SPORTS_API_KEY");
  const headers: Record<string, string> = key ? { "X-API-Key": key } : {};
  const send: Fetch = options.fetch ?? ((request, init) => globalThis.fetch(request, init));
  const store = new EtagStore(options.cacheBytes ?? 64 * 1024 * 1024);
  const client = createClient<paths, "application/json">({
    baseUrl: url,
    headers,
    fetch: store.around(patient(send, options.timeout ?? 60_000)),
  });
  return Object.assign(client, {
    pages: <P extends Paged>(path: P, params: PagedParameters<P>) => pages(client, path, params),
    rows: <P extends Paged>(path: P, params: PagedParameters<P>) => rows(client, path, params),
    all: <P extends Paged>(path: P, params: PagedParameters<P>) => all(client, path, params),
    stream: (sports: Sport | readonly Sport[], streamed: StreamOptions = {}) =>
      follow(send, `${url}/api/v1/stream?sport=${[sports].flat().join(",")}`, headers, streamed),
  });
}

/** Returns a variable of the environment where there is one: a browser has none. */
function variable(name: string): string | undefined {
  return typeof process === "undefined" ? undefined : process.env[name] || undefined;
}

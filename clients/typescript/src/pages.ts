/** Lists that arrive page by page. */

import type { Client } from "openapi-fetch";

import { ApiError, value } from "./errors.js";
import type { paths } from "./schema.js";

/** The pages of one version: a season that is published anew meanwhile answers 409. */
const OF_A_VERSION = { offset: "next_offset", snapshot: "snapshot" } as const;

/** The rows of each paged list, and the parameters of the next page with their fields: if the first is null, there is none. */
const PAGED = {
  "/api/v1/results/{sport}/{model_type}": { rows: "results", next: OF_A_VERSION },
  "/api/v1/games/{sport}": { rows: "games", next: OF_A_VERSION },
  "/api/v1/odds/{sport}/closing": { rows: "games", next: OF_A_VERSION },
  "/api/v1/odds/{sport}/moves": { rows: "moves", next: { after_generation: "next" } },
  "/api/v1/predictions/{sport}/{model_type}/moves": { rows: "moves", next: { after_generation: "next" } },
  "/api/v1/corrections/{sport}": { rows: "corrections", next: { since_generation: "next_generation" } },
  "/api/v1/releases/{sport}": { rows: "releases", next: { before: "next_before" } },
  "/api/v1/record/{sport}/checkpoints": { rows: "checkpoints", next: { from_size: "next_size" } },
} as const;

/** The address of a list that arrives page by page. */
export type Paged = keyof typeof PAGED;
/** Its parameters. */
export type PagedParameters<P extends Paged> = paths[P]["get"]["parameters"];
/** A page of it. */
export type Page<P extends Paged> = paths[P]["get"]["responses"][200]["content"]["application/json"];
/** A row of it. */
export type Row<P extends Paged> = Page<P> extends Record<(typeof PAGED)[P]["rows"], readonly (infer R)[]> ? R : never;

/** A request of a page, with the types of its address left out. */
type GetPage = (path: Paged, options: object) => Promise<{ data: Record<string, unknown>; response: Response }>;

/** Yields the pages. A 409 is thrown: the rows so far are of a former version. */
export async function* pages<P extends Paged>(
  client: Client<paths, "application/json">,
  path: P,
  params: PagedParameters<P>,
): AsyncGenerator<Page<P>, void, undefined> {
  const fields = Object.entries(PAGED[path].next);
  let paging: Record<string, unknown> = {};
  for (;;) {
    const query = { ...params.query, ...paging };
    const page = await value((client.GET as unknown as GetPage)(path, { params: { ...params, query } }));
    yield page as Page<P>;
    paging = Object.fromEntries(fields.map(([parameter, field]) => [parameter, page[field]]));
    const [first] = Object.values(paging);
    if (first === null || first === undefined) return;
  }
}

/** Yields the rows, page by page. */
export async function* rows<P extends Paged>(
  client: Client<paths, "application/json">,
  path: P,
  params: PagedParameters<P>,
): AsyncGenerator<Row<P>, void, undefined> {
  for await (const page of pages(client, path, params)) yield* rowsOf(path, page);
}

/** Returns all rows, of one version: begins again after a 409. */
export async function all<P extends Paged>(
  client: Client<paths, "application/json">,
  path: P,
  params: PagedParameters<P>,
): Promise<Row<P>[]> {
  for (;;) {
    const found: Row<P>[] = [];
    try {
      for await (const page of pages(client, path, params)) found.push(...rowsOf(path, page));
      return found;
    } catch (failure) {
      // With a `snapshot` of the caller the first page would be refused again.
      const isOver = failure instanceof ApiError && failure.status === 409 && !("snapshot" in (params.query ?? {}));
      if (!isOver) throw failure;
    }
  }
}

function rowsOf<P extends Paged>(path: P, page: Page<P>): Row<P>[] {
  return (page as Record<string, unknown>)[PAGED[path].rows] as Row<P>[];
}

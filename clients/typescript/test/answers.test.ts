// Conditional requests and pages, on the demo.

import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, value, type Paged, type paths } from "sports-model-data";

import { key, recorded, scripted, url } from "./server.js";

const SPREAD = { sport: "nfl", model_type: "won_on_spread" } as const;
const RESULTS = "/api/v1/results/{sport}/{model_type}";
const odds = { params: { path: { sport: "nba" } } } as const;

test("an unchanged answer is requested with its ETag and comes from memory", async () => {
  const { api, statuses } = recorded();
  const first = await api.GET("/api/v1/odds/{sport}", odds);
  const again = await api.GET("/api/v1/odds/{sport}", odds);
  assert.deepEqual(statuses, [200, 304]);
  assert.deepEqual([again.response.status, again.data], [200, first.data]);
  assert.equal(again.response.headers.get("X-Generation"), first.response.headers.get("X-Generation"));
});

test("each form and each address has its own answer", async () => {
  const { api, statuses } = recorded();
  const csv = { params: { ...odds.params, query: { format: "csv" } }, parseAs: "text" } as const;
  const table = await value(api.GET("/api/v1/odds/{sport}", csv));
  assert(table.startsWith("sport,game_id,"));
  assert((await value(api.GET("/api/v1/odds/{sport}", odds))).games.length > 0);
  assert.equal(await value(api.GET("/api/v1/odds/{sport}", csv)), table);
  assert.deepEqual(statuses, [200, 200, 304]);
});

test("answers are kept up to a size, the last used ones", async () => {
  const answer = (etag: string, size: number) => new Response(`"${"x".repeat(size - 2)}"`, { headers: { ETag: etag } });
  const asked = ["nfl", "nba", "nfl", "mlb", "nba", "nfl", "nhl", "nfl"] as const;
  const { api, requests } = scripted(
    [
      answer("nfl", 40),
      answer("nba", 40),
      new Response(null, { status: 304 }),
      answer("mlb", 40), // 100 bytes hold two of them: nba is the longest unused
      answer("nba", 40), // and now nfl
      answer("nfl", 40),
      answer("nhl", 101), // too large to be kept, and removes nothing
      new Response(null, { status: 304 }),
    ],
    { cacheBytes: 100 },
  );
  for (const sport of asked) await value(api.GET("/api/v1/odds/{sport}", { params: { path: { sport } } }));
  const sent = requests.map(({ request }) => request.headers.get("If-None-Match"));
  assert.deepEqual(sent, [null, null, "nfl", null, null, null, null, "nfl"]);
});

test("without a cache nothing is kept", async () => {
  const { api, statuses } = recorded({ cacheBytes: 0 });
  await value(api.GET("/api/v1/odds/{sport}", odds));
  await value(api.GET("/api/v1/odds/{sport}", odds));
  assert.deepEqual(statuses, [200, 200]);
});

test("the rows of all pages are those of one request", async () => {
  const { api, statuses } = recorded();
  const { seasons } = await value(api.GET(`${RESULTS}/seasons`, { params: { path: SPREAD } }));
  const season = seasons.at(-1) ?? "";
  const table = { params: { path: SPREAD, query: { season, format: "csv" } }, parseAs: "text" } as const;
  const lines = (await value(api.GET(RESULTS, table))).trimEnd().split("\n").slice(1);
  const before = statuses.length;
  const rows = await api.all(RESULTS, { path: SPREAD, query: { season, limit: 100 } });
  assert.equal(rows.length, lines.length);
  assert.equal(statuses.length - before, Math.ceil(lines.length / 100));
  assert(rows.every((row, index) => lines[index]?.startsWith(`${row.date},`)));

  const yielded = [];
  for await (const row of api.rows(RESULTS, { path: SPREAD, query: { season, limit: 100 } })) yielded.push(row);
  assert.deepEqual(yielded, rows);
});

test("a season that is published anew meanwhile is read again, and told to whom reads its rows", async () => {
  const conflicts: number[] = [];
  const once = () => {
    let isFirst = true;
    return connect({
      url,
      key,
      fetch: async (request, init) => {
        const address = new URL(request.url);
        if (address.searchParams.get("offset") === "200" && isFirst) {
          isFirst = false;
          address.searchParams.set("snapshot", "0123456789abcdef");
        }
        const response = await fetch(new Request(address, request), init);
        if (response.status === 409) conflicts.push(conflicts.length);
        return response;
      },
    });
  };
  const query = { season: "2024-25", limit: 100 };
  const plain = await connect({ url, key }).all(RESULTS, { path: SPREAD, query });
  assert.deepEqual(await once().all(RESULTS, { path: SPREAD, query }), plain);
  assert.equal(conflicts.length, 1);
  let seen = 0;
  const read = async () => {
    for await (const _ of once().rows(RESULTS, { path: SPREAD, query })) seen += 1;
  };
  await assert.rejects(read(), { status: 409 });
  assert.equal(seen, 200);
  const stale = { ...query, snapshot: "0123456789abcdef" };
  await assert.rejects(connect({ url, key }).all(RESULTS, { path: SPREAD, query: stale }), { status: 409 });
});

test("lists by generation and by size have pages, too", async () => {
  const { api } = recorded();
  const nfl = { sport: "nfl" } as const;
  const generations = (await api.all("/api/v1/releases/{sport}", { path: nfl, query: { limit: 50 } })).map(
    (one) => one.generation,
  );
  assert(generations.length > 100);
  assert.deepEqual(
    generations,
    Array.from(generations, (_, index) => generations.length - index),
  );
  const sizes = (await api.all("/api/v1/record/{sport}/checkpoints", { path: nfl, query: { limit: 10 } })).map(
    (one) => one.size,
  );
  assert(sizes.length > 10);
  assert.deepEqual(
    sizes,
    [...new Set(sizes)].sort((left, right) => left - right),
  );
});

// Every list of the document that names a next page is one of `Paged`: the compiler refuses the next line otherwise.
type Answer<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;
type WithNextPage = {
  [P in keyof paths]: [Exclude<Extract<keyof Answer<P>, `next${string}`>, "next_reset_at">] extends [never] ? never : P;
}[keyof paths];
const complete: [WithNextPage] extends [Paged] ? ([Paged] extends [WithNextPage] ? true : never) : never = true;
assert(complete);

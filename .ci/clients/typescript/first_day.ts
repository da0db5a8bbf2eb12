// A customer's first day, in types that `openapi-typescript` made of the document, with `openapi-fetch`.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";

import { address, burst, key, type Paging, patiently, report, revoked, wholeSeason } from "./customer.js";
import type { components, paths } from "./schema.js";

type Row = components["schemas"]["ResultRow"];

const client = createClient<paths, "application/json">({ baseUrl: address, headers: { "X-API-Key": key }, fetch: patiently });
const market = { sport: "nfl", model_type: "won_on_spread" } as const;

const season = (label: string, from?: Paging) =>
  wholeSeason<Row>(
    (paging) =>
      client.GET("/api/v1/results/{sport}/{model_type}", {
        params: { path: market, query: { season: label, limit: 100, ...paging } },
      }),
    from,
  );

const { data: discovery } = await client.GET("/api/v1/sports");
assert(discovery?.sports.some((sport) => sport.code === "nfl"));

const { data: predictions } = await client.GET("/api/v1/predictions/{sport}/{model_type}", {
  params: { path: market, query: { upcoming_only: false } },
});
assert(predictions?.model_type === "won_on_spread");
assert(predictions.games.every((game) => typeof game.predictions.BLEND === "number" && game.home_point_spread !== null));

const { data: seasons } = await client.GET("/api/v1/results/{sport}/{model_type}/seasons", { params: { path: market } });
const label = seasons?.seasons.at(-1);
assert(label);
const [rows] = await season(label);
assert(rows.every((row) => row.graded || row.ungraded_reason));
const [again, conflicts] = await season(label, { offset: 100, snapshot: "0123456789abcdef" });
assert.deepEqual([again, conflicts], [rows, 1]);

const { data: board } = await client.GET("/api/v1/strategies/{sport}/{model_type}", {
  params: { path: market, query: { season: label } },
});
assert(board);
assert.equal(board.strategies.length, 16);

const made = await client.POST("/api/v1/customers/me/api-keys", { body: { name: "made in TypeScript" } });
assert(made.data, made.error?.detail);
const other = createClient<paths, "application/json">({ baseUrl: address, headers: { "X-API-Key": made.data.api_key }, fetch: patiently });
assert((await other.GET("/api/v1/sports")).data);
const masked = { params: { path: { api_key: made.data.api_key.slice(0, 15) + "*****" } } };
assert((await client.DELETE("/api/v1/customers/me/api-keys/{api_key}", masked)).data);
const refusal = await revoked(() => other.GET("/api/v1/sports"));
assert.equal(refusal.error?.error, "HTTP_401");

await burst(() => client.GET("/api/v1/sports"));

report("openapi-fetch", predictions.games.length, rows.length, board.strategies[0]?.name);

// The same first day, with the client that `@hey-api/openapi-ts` made of the document.

import assert from "node:assert/strict";

import { address, burst, key, type Paging, patiently, report, revoked, wholeSeason } from "./customer.js";
import { createClient } from "./hey-api/client/index.js";
import {
  createApiKey,
  listPredictions,
  listResults,
  listResultSeasons,
  listSports,
  listStrategies,
  revokeApiKey,
} from "./hey-api/sdk.gen.js";
import type { ResultRow } from "./hey-api/types.gen.js";

const client = createClient({ baseUrl: address, auth: key, fetch: patiently });
const path = { sport: "nfl", model_type: "won_on_spread" } as const;

const season = (label: string, from?: Paging) =>
  wholeSeason<ResultRow>((paging) => listResults({ client, path, query: { season: label, limit: 100, ...paging } }), from);

const { data: discovery } = await listSports({ client });
assert(discovery?.sports.some((sport) => sport.code === "nfl"));

const { data: predictions } = await listPredictions({ client, path, query: { upcoming_only: false } });
assert(predictions?.model_type === "won_on_spread");
assert(predictions.games.every((game) => typeof game.predictions.BLEND === "number" && game.home_point_spread !== null));

const label = (await listResultSeasons({ client, path })).data?.seasons.at(-1);
assert(label);
const [rows] = await season(label);
const [again, conflicts] = await season(label, { offset: 100, snapshot: "0123456789abcdef" });
assert.deepEqual([again, conflicts], [rows, 1]);

const { data: board } = await listStrategies({ client, path, query: { season: label } });
assert(board);
assert.equal(board.strategies.length, 16);

const made = await createApiKey({ client, body: { name: "made by hey-api" } });
assert(made.data, made.error?.detail);
const other = createClient({ baseUrl: address, auth: made.data.api_key, fetch: patiently });
assert((await listSports({ client: other })).data);
const masked = made.data.api_key.slice(0, 15) + "*****";
assert((await revokeApiKey({ client, path: { api_key: masked } })).data);
const refusal = await revoked(async () => {
  const { error, response } = await listSports({ client: other });
  assert(response);
  return { error, response };
});
assert.equal(refusal.error?.error, "HTTP_401");

await burst(async () => {
  const { response } = await listSports({ client });
  assert(response);
  return { response };
});

report("hey-api", predictions.games.length, rows.length, board.strategies[0]?.name);

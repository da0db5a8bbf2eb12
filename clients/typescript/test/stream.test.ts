// The stream: of a server that breaks off, and of the demo.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { connect, type StreamEvent } from "sports-model-data";

import { key, url } from "./server.js";

const HELLO = (id: string) => `event: hello\nid: ${id}\nretry: 10\ndata: {"leagues":[]}\n\n`;
const RELEASE = (id: string, generation: number) => `event: release\nid: ${id}\ndata: {"generation":${generation}}\n\n`;
const ANSWERS: [number, string][] = [
  [200, HELLO("nfl:1.0a") + ":\n\n" + RELEASE("nfl:2.0b", 2) + "event: release\nid: nfl:3.0"],
  [503, ""],
  [200, HELLO("nfl:2.0b") + RELEASE("nfl:3.0c", 3)],
  [502, ""],
  [200, 'event: reset\nid: nfl:3.0c\ndata: {"reason":"month"}\n\n'],
  [429, '{"detail":"the month is full"}'],
];

test("a stream goes on after the last whole event and ends with the month", async () => {
  const seen: [string | undefined, string | undefined][] = [];
  const server = createServer((request, response) => {
    const [status, text] = ANSWERS[seen.length] ?? [500, ""];
    seen.push([
      request.headers["last-event-id"] as string | undefined,
      request.headers["x-api-key"] as string | undefined,
    ]);
    response.writeHead(status, status === 503 ? { "Retry-After": "0" } : {});
    // In two pieces, between which there is an event's middle.
    response.write(text.slice(0, 20));
    setTimeout(() => {
      response.write(text.slice(20));
      // The first connection is lost rather than ended.
      if (seen.length === 1) setTimeout(() => response.destroy(), 50);
      else response.end();
    }, 20);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const api = connect({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: "sk_service_0" });
    const events: StreamEvent[] = [];
    for await (const event of api.stream("nfl")) events.push(event);
    const released = events.flatMap((event) => (event.name === "release" ? [event.data.generation] : []));
    assert.deepEqual(released, [2, 3]);
    assert.deepEqual(
      events.map((event) => event.name),
      ["hello", "release", "hello", "release", "reset"],
    );
    assert.deepEqual(
      seen.map(([cursor]) => cursor),
      [undefined, "nfl:2.0b", "nfl:2.0b", "nfl:3.0c", "nfl:3.0c"],
    );
    assert(seen.every(([, sent]) => sent === "sk_service_0"));
    // A full month has no `Retry-After`: waiting would not help.
    await assert.rejects(api.stream("nfl").next(), { status: 429, detail: "the month is full" });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("a stream of the demo begins where the caller was, and ends with the caller's signal", async () => {
  const api = connect({ url, key });
  const opened = api.stream(["nba", "nfl"]);
  const hello = (await opened.next()).value;
  await opened.return();
  assert(hello?.name === "hello");
  const [league] = hello.data.leagues;
  assert.deepEqual(
    hello.data.leagues.map((one) => one.sport),
    ["nfl", "nba"].sort(),
  );
  const { data: status } = await api.GET("/api/v1/data-status/{sport}", { params: { path: { sport: "nba" } } });
  assert.equal(league?.trusted, status?.trusted);

  // From an earlier generation, its releases come next, in order and each once.
  const { data } = await api.GET("/api/v1/releases/{sport}", {
    params: { path: { sport: "nba" }, query: { limit: 4 } },
  });
  const [newest, ...former] = data?.releases ?? [];
  const oldest = former.at(-1);
  assert(newest && oldest);
  const stop = new AbortController();
  const generations: number[] = [];
  const read = async () => {
    const lastEventId = `nba:${oldest.generation}.${oldest.sha256.slice(0, 8)}`;
    for await (const event of api.stream("nba", { lastEventId, signal: stop.signal })) {
      if (event.name !== "release") continue;
      generations.push(event.data.generation);
      if (event.data.generation === newest.generation) stop.abort(new Error("enough"));
    }
  };
  await assert.rejects(read(), /enough/);
  assert.deepEqual(generations, former.map((one) => one.generation + 1).reverse());
});

test("a refused stream throws", async () => {
  const api = connect({ url, key: `sk_service_${"0".repeat(40)}` });
  await assert.rejects(api.stream("nba").next(), { status: 401 });
});

// What is repeated, and what is not.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError, value } from "sports-model-data";

import { leagues, refused, scripted } from "./server.js";

const WAIT = { "Retry-After": "0" };

for (const status of [429, 503]) {
  test(`${status} is repeated as Retry-After says`, async () => {
    const { api, requests } = scripted([refused(status, { "Retry-After": "1" }), leagues()]);
    const began = performance.now();
    assert.deepEqual((await value(api.GET("/api/v1/sports"))).sports, []);
    assert.equal(requests.length, 2);
    assert(performance.now() - began >= 990, "the pause is that of the answer");
  });

  test(`${status} without Retry-After is never repeated`, async () => {
    const { api, requests } = scripted([refused(status), leagues()]);
    await assert.rejects(value(api.GET("/api/v1/sports")), { status, code: `HTTP_${status}`, detail: "a detail" });
    assert.equal(requests.length, 1);
  });

  test(`${status} that lasts longer than the call has time is refused at once`, async () => {
    const { api, requests } = scripted([refused(status, { "Retry-After": "3600" })]);
    await assert.rejects(value(api.GET("/api/v1/sports")), { status });
    assert.equal(requests.length, 1);
  });
}

test("Retry-After can be a date", async () => {
  const { api, requests } = scripted([refused(503, { "Retry-After": new Date(0).toUTCString() }), leagues()]);
  await value(api.GET("/api/v1/sports"));
  assert.equal(requests.length, 2);
});

test("what the network did is repeated with a pause", async () => {
  for (const answer of ["lost", refused(408), refused(502), refused(504)]) {
    const { api, requests } = scripted([answer, leagues()]);
    await value(api.GET("/api/v1/sports"));
    assert.equal(requests.length, 2);
  }
});

test("a connection that breaks within an answer is repeated", async () => {
  const broken = new ReadableStream({ start: (body) => body.error(new TypeError("terminated")) });
  const { api, requests } = scripted([new Response(broken), leagues()]);
  await value(api.GET("/api/v1/sports"));
  assert.equal(requests.length, 2);
});

test("a 500 is repeated once", async () => {
  const { api, requests } = scripted([
    refused(500, { "X-Request-Id": "r1" }),
    refused(500, { "X-Request-Id": "r2" }),
    leagues(),
  ]);
  await assert.rejects(value(api.GET("/api/v1/sports")), { status: 500, requestId: "r2" });
  assert.equal(requests.length, 2);
});

test("other refusals are not repeated", async () => {
  for (const status of [400, 401, 403, 404, 409]) {
    const { api, requests } = scripted([refused(status, WAIT)]);
    await assert.rejects(value(api.GET("/api/v1/sports")), { status });
    assert.equal(requests.length, 1);
  }
});

test("a POST is repeated after a 429 alone, with its body", async () => {
  const made = () => Response.json({ api_key: "sk_service_new", message: "", warning: "" });
  const create = (answers: (Response | string)[]) => {
    const { api, requests } = scripted(answers);
    return { done: value(api.POST("/api/v1/customers/me/api-keys", { body: { name: "one" } })), requests };
  };
  const limited = create([refused(429, WAIT), made()]);
  assert.equal((await limited.done).api_key, "sk_service_new");
  assert.deepEqual(
    limited.requests.map(({ body }) => body),
    ['{"name":"one"}', '{"name":"one"}'],
  );
  for (const answer of [refused(503, WAIT), refused(502), refused(500), "lost"]) {
    const { done, requests } = create([answer, made()]);
    await assert.rejects(done);
    assert.equal(requests.length, 1);
  }
});

test("a POST with an Idempotency-Key is repeated like a GET", async () => {
  for (const answer of [refused(503, WAIT), refused(502), "lost"]) {
    const { api, requests } = scripted([answer, Response.json({ downloads: [] })]);
    const header = { "Idempotency-Key": "one" };
    await value(api.POST("/api/v1/service-sports-data/refresh", { params: { header } }));
    assert.deepEqual(
      requests.map(({ request }) => request.headers.get("Idempotency-Key")),
      ["one", "one"],
    );
  }
});

test("the time is for the whole call", async () => {
  const api = scripted([refused(502), refused(502), refused(502), refused(502), leagues()], { timeout: 1000 });
  await assert.rejects(value(api.api.GET("/api/v1/sports")), { status: 502 });
  assert.equal(api.requests.length, 2, "after 500 ms, the pause of a second is too long");
  const hanging = scripted([], {
    timeout: 50,
    fetch: (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason))),
  });
  // An open connection keeps the program running; here, a timer does.
  const running = setTimeout(() => {}, 10_000);
  await assert.rejects(value(hanging.api.GET("/api/v1/sports")), { name: "TimeoutError" });
  clearTimeout(running);
});

test("the caller's signal ends a pause", async () => {
  const { api } = scripted([refused(503, { "Retry-After": "30" })]);
  const stop = new AbortController();
  const answer = value(api.GET("/api/v1/sports", { signal: stop.signal }));
  setTimeout(() => stop.abort(new Error("enough")), 20);
  await assert.rejects(answer, /enough/);
});

test("the key is in a header and nowhere else, and goes to no other host", async () => {
  const { api, requests } = scripted([
    new Response(null, { status: 302, headers: { Location: "http://elsewhere.test/" } }),
  ]);
  const failure: unknown = await value(api.GET("/api/v1/sports")).catch((error: unknown) => error);
  assert(failure instanceof ApiError);
  assert.equal(failure.status, 302);
  assert(!`${failure.stack} ${JSON.stringify(failure)}`.includes("SECRET"));
  assert.equal(requests.length, 1);
  assert.equal(requests[0]?.request.headers.get("X-API-Key"), "sk_service_SECRET");
  assert(!requests[0]?.request.url.includes("SECRET"));
  assert.equal(requests[0]?.init?.redirect, "manual");
});

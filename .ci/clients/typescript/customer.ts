// The parts that both clients share: address, key, waits and paging.

import assert from "node:assert/strict";
import { env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

export const address = env["BASE_URL"] ?? "";
export const key = env["API_KEY"] ?? "";

let waits = 0;

// Asks again after 429, once the time is over that the answer names.
export async function patiently(...asked: Parameters<typeof fetch>): Promise<Response> {
  const request = new Request(...asked);
  for (;;) {
    const response = await fetch(request.clone());
    if (response.status !== 429) return response;
    const seconds = Number(response.headers.get("retry-after"));
    assert(seconds >= 1, "429 says when to ask again");
    waits += 1;
    await sleep(1000 * seconds);
  }
}

export interface Paging {
  offset?: number;
  snapshot?: string;
}

interface Read<Row> {
  data?: { results: Row[]; total: number; next_offset: number | null; snapshot: string } | undefined;
  error?: { error: string; detail: string } | undefined;
  response?: Response | undefined;
}

// Every row of a season, page by page; from the start again after each 409, and how often that was.
export async function wholeSeason<Row>(read: (paging: Paging) => Promise<Read<Row>>, from: Paging = {}): Promise<[Row[], number]> {
  const rows: Row[] = [];
  let conflicts = 0;
  let paging = from;
  for (;;) {
    const { data, error, response } = await read(paging);
    if (response?.status === 409) {
      assert.equal(error?.error, "HTTP_409");
      conflicts += 1;
      rows.length = 0;
      paging = {};
      continue;
    }
    assert(data, error?.detail);
    rows.push(...data.results);
    if (data.next_offset === null) {
      assert.equal(rows.length, data.total);
      return [rows, conflicts];
    }
    paging = { offset: data.next_offset, snapshot: data.snapshot };
  }
}

// Asks until a key is refused that has just been revoked: within two seconds.
export async function revoked<T extends { response: Response }>(ask: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer.response.status === 401) return answer;
    assert(performance.now() - began < 30_000, "a revoked key still works");
    await sleep(100);
  }
}

// More calls at once than a second takes: all are answered, some after a wait.
export async function burst(ask: () => Promise<{ response: Response }>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 60 }, ask));
  assert(answers.every((answer) => answer.response.status === 200));
  assert(waits > 0, "no call of sixty at once was told to wait");
}

export function report(client: string, games: number, rows: number, first: string | undefined): void {
  console.log(`${client}: ${games} predictions, ${rows} rows paged, ${first} leads, a key made and revoked, ${waits} waits`);
}

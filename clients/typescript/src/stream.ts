/** The stream of releases and of changes of the data status. */

import { createParser } from "eventsource-parser";

import { refusal } from "./errors.js";
import type { components } from "./schema.js";
import { passes, retryAfter, sleep, type Fetch } from "./transport.js";

type Schemas = components["schemas"];
type Sport = Schemas["SportCode"];

/** The data status of a league as events have it. */
export type LeagueStatus = { sport: Sport } & Pick<
  Schemas["DataStatus"],
  "status" | "operational" | "trusted" | "degradation_reason" | "refresh_pending" | "date" | "deadline"
>;

/** The present state of a league; without a generation if nothing is published. */
export type LeagueState = LeagueStatus & { generation: number | null; head: string | null };

/** An event. `id` is the position of the stream: `lastEventId` of a stream that goes on after this event. */
export type StreamEvent = { id: string } & (
  | { name: "hello"; data: { leagues: LeagueState[] } }
  | { name: "release"; data: Schemas["ReleaseItem"] & { sport: Sport; head: string } }
  | { name: "status"; data: LeagueStatus }
  | { name: "reset"; data: { reason: "gap" | "record" | "month"; leagues?: LeagueState[] } }
);

export interface StreamOptions {
  /** The `id` of the last event that arrived. */
  lastEventId?: string;
  /** Ends the stream, which then throws the signal's reason. */
  signal?: AbortSignal;
}

/** The longest time without a line: a comment arrives every 15 seconds. */
const SILENCE = 45_000;
const FIRST_PAUSE = 1000;

/**
 * Yields the events of leagues. It connects again after a lost connection, as a browser's `EventSource` does, and goes on after
 * the last event; each connection has its `hello`. Ends with the quota of the month; throws refusals.
 */
export async function* follow(
  fetch: Fetch,
  address: string,
  headers: Record<string, string>,
  { lastEventId, signal = new AbortController().signal }: StreamOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const position = { pause: FIRST_PAUSE, id: lastEventId };
  for (;;) {
    signal.throwIfAborted();
    const silence = new AbortController();
    // A program that is busy with an event is not silence.
    const heard = async <T>(work: Promise<T>): Promise<T> => {
      const timer = setTimeout(() => silence.abort(), SILENCE);
      return work.finally(() => clearTimeout(timer));
    };
    try {
      const sent = { ...headers, ...(position.id === undefined ? {} : { "Last-Event-ID": position.id }) };
      const request = new Request(address, { headers: { Accept: "text/event-stream", ...sent } });
      const connection = AbortSignal.any([signal, silence.signal]);
      const response = await heard(fetch(request, { signal: connection, redirect: "manual", cache: "no-store" }));
      if (response.status !== 200 || response.body === null) {
        if (!passes(response)) throw refusal(response, await response.json().catch(() => undefined));
        position.pause = retryAfter(response) ?? position.pause;
      } else {
        for await (const event of events(response.body, position, heard)) {
          position.id = event.id;
          yield event;
          if (event.name === "reset" && event.data.reason === "month") return;
        }
      }
    } catch (failure) {
      // A connection that is lost is a `TypeError`, one that is silent an abort.
      if (signal.aborted || !(failure instanceof TypeError || silence.signal.aborted)) throw failure;
    } finally {
      // Ends the connection of a reader that goes.
      silence.abort();
    }
    await sleep(position.pause, signal);
  }
}

/** Yields the events of one connection until it ends. */
async function* events(
  body: ReadableStream<Uint8Array>,
  position: { pause: number },
  heard: <T>(work: Promise<T>) => Promise<T>,
): AsyncGenerator<StreamEvent, void, undefined> {
  const arrived: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, id, data }) => arrived.push({ name: event, id, data: JSON.parse(data) } as StreamEvent),
    onRetry: (milliseconds) => (position.pause = milliseconds),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await heard(reader.read());
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    yield* arrived.splice(0);
  }
}

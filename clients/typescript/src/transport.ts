/** Requests: the time of a call, retries, conditional requests. */

export type Fetch = (request: Request, options?: RequestInit) => Promise<Response>;

/** The statuses of a network or a proxy that was too slow. */
const TOO_SLOW = new Set([408, 502, 504]);
/** The statuses that are repeated as `Retry-After` says, and never without it: a 429 without it is a full month. */
const TOLD_TO_WAIT = new Set([429, 503]);
/** The methods that can be sent twice without harm; others can with an `Idempotency-Key`. */
const SAFE = new Set(["GET", "HEAD", "DELETE"]);
const isSafe = (request: Request): boolean => SAFE.has(request.method) || request.headers.has("Idempotency-Key");
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;

/** Returns a `fetch` that repeats a request where that helps, all within `timeout` milliseconds. Answers arrive whole. */
export function patient(fetch: Fetch, timeout: number): (request: Request) => Promise<Response> {
  return async (request) => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]);
    const end = performance.now() + timeout;
    let faults = 0;
    for (let tries = 0; ; tries += 1) {
      const growing = Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE);
      const hasTime = (pause: number) => performance.now() + pause < end;
      let pause: number | undefined;
      try {
        // A redirect could take the key to another host.
        const response = await fetch(request.clone(), { signal, redirect: "manual" });
        const whole = await arrived(response);
        if (response.status === 500) faults += 1;
        pause = pauseAfter(request, response, faults, growing);
        if (pause === undefined || !hasTime(pause)) return whole;
      } catch (failure) {
        if (signal.aborted || !isSafe(request) || !hasTime(growing)) throw failure;
        pause = growing;
      }
      await sleep(pause, signal);
    }
  };
}

/** Returns the milliseconds after which a request is repeated; `undefined` if that would not help. */
function pauseAfter(request: Request, response: Response, faults: number, growing: number): number | undefined {
  const { status } = response;
  // A request with 429 was refused before anything was done.
  if (TOLD_TO_WAIT.has(status)) return isSafe(request) || status === 429 ? retryAfter(response) : undefined;
  return isSafe(request) && (TOO_SLOW.has(status) || (status === 500 && faults === 1)) ? growing : undefined;
}

/** Returns the milliseconds of `Retry-After`, which is a number of seconds or a date. */
export function retryAfter(response: Response): number | undefined {
  const header = response.headers.get("Retry-After");
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return 1000 * Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(date - Date.now(), 0);
}

/** Returns true if a refusal is gone after a pause: that of `Retry-After`, or one of the network. */
export const passes = (response: Response): boolean =>
  TOO_SLOW.has(response.status) || (TOLD_TO_WAIT.has(response.status) && retryAfter(response) !== undefined);

/** Waits; rejects at once if the signal is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** Reads the body, so that a connection that breaks within it is a failure of the request. */
async function arrived(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer();
  return copy(response.status, bytes, response.headers);
}

function copy(status: number, bytes: ArrayBuffer, headers: Headers): Response {
  const isEmpty = status === 204 || status === 205 || status === 304;
  // `Response` takes no status of a redirect that a browser hides.
  if (status === 0) return Response.error();
  return new Response(isEmpty ? null : bytes, { status, headers });
}

interface Kept {
  etag: string;
  bytes: ArrayBuffer;
  headers: Headers;
}

/** Answers with an `ETag`, in memory: at most `limit` bytes, the longest unused are removed first. */
export class EtagStore {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(readonly limit: number) {}

  /** Returns a `fetch` that sends what it has of an answer as `If-None-Match`, and turns a 304 into that answer. */
  around(send: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
    return async (request) => {
      if (request.method !== "GET" || request.headers.has("If-None-Match")) return send(request);
      const name = `${request.headers.get("Accept") ?? ""} ${request.url}`;
      const kept = this.#kept.get(name);
      if (kept) request.headers.set("If-None-Match", kept.etag);
      const response = await send(request);
      if (response.status === 304 && kept) {
        this.#keep(name, kept);
        const headers = new Headers(kept.headers);
        response.headers.forEach((text, header) => headers.set(header, text));
        return copy(200, kept.bytes, headers);
      }
      const etag = response.headers.get("ETag");
      if (response.status === 200 && etag !== null) {
        const bytes = await response.arrayBuffer();
        this.#keep(name, { etag, bytes, headers: response.headers });
        return copy(200, bytes, response.headers);
      }
      return response;
    };
  }

  /** Keeps an answer as the last used one. */
  #keep(name: string, answer: Kept): void {
    this.#remove(name);
    if (answer.bytes.byteLength > this.limit) return;
    this.#kept.set(name, answer);
    this.#bytes += answer.bytes.byteLength;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.limit) break;
      this.#remove(oldest);
    }
  }

  #remove(name: string): void {
    this.#bytes -= this.#kept.get(name)?.bytes.byteLength ?? 0;
    this.#kept.delete(name);
  }
}

// The demo to test against (BASE_URL, API_KEY; see .ci/with_server), and servers of scripted answers.

import { env } from "node:process";

import { connect, type Options } from "sports-model-data";

export const url = env["BASE_URL"] ?? "";
export const key = env["API_KEY"] ?? "";

/** A client of the demo, and the statuses of its answers. */
export function recorded(options: Options = {}) {
  const statuses: number[] = [];
  const fetch: Options["fetch"] = async (request, init) => {
    const response = await globalThis.fetch(request, init);
    // The demo of CI makes a customer wait who is too quick, as do others that run beside.
    if (response.status !== 429) statuses.push(response.status);
    return response;
  };
  return { api: connect({ url, key, fetch, ...options }), statuses };
}

/** A client whose requests get these answers, one after the other, and the requests; a string is a lost connection. */
export function scripted(answers: (Response | string)[], options: Options = {}) {
  const requests: { request: Request; init: RequestInit | undefined; body: string }[] = [];
  const fetch: Options["fetch"] = async (request, init) => {
    const answer = answers[requests.length];
    requests.push({ request, init, body: await request.text() });
    if (answer === undefined) throw new Error("one request more than the script has");
    if (typeof answer === "string") throw new TypeError(answer);
    return answer;
  };
  return { api: connect({ url: "http://server.test", key: "sk_service_SECRET", fetch, ...options }), requests };
}

export const refused = (status: number, headers: Record<string, string> = {}) =>
  Response.json(
    { error: `HTTP_${status}`, detail: "a detail", timestamp: "2026-01-15T15:00:00Z" },
    { status, headers },
  );

export const leagues = () => Response.json({ sports: [], model_types: [] });

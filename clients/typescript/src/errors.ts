/** A refusal of the server. It has no part of the key. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** `HTTP_` and the status. */
  readonly code: string;

  constructor(
    readonly status: number,
    /** What is wrong, and the remedy. */
    readonly detail: string,
    /** The id under which the operator finds the request. */
    readonly requestId: string | null = null,
  ) {
    super(`HTTP_${status}: ${detail}${requestId === null ? "" : ` (request ${requestId})`}`);
    this.code = `HTTP_${status}`;
  }
}

/** Returns the refusal that a response is, of its parsed body. */
export function refusal(response: Response, body: unknown): ApiError {
  const detail = typeof body === "object" && body !== null && "detail" in body ? String(body.detail) : undefined;
  return new ApiError(
    response.status,
    detail ?? "the answer is not one of the service; a proxy may have sent it",
    response.headers.get("X-Request-Id"),
  );
}

/** Returns the data of an answer, as in `await value(api.GET("/api/v1/sports"))`; throws a refusal as `ApiError`. */
export async function value<T>(
  answer: Promise<
    { data: T; error?: never; response: Response } | { data?: never; error: unknown; response: Response }
  >,
): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok) throw refusal(response, error);
  return data as T;
}

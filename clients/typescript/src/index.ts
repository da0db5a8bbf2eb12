/** A client of the sports model data service, with types of its OpenAPI document. */

export { connect, type Api, type Options } from "./api.js";
export { ApiError, value } from "./errors.js";
export { type Page, type Paged, type PagedParameters, type Row } from "./pages.js";
export { type LeagueState, type StreamEvent, type StreamOptions } from "./stream.js";
export type { components, paths } from "./schema.js";

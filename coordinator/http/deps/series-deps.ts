import type { Series } from "../../series/start-series.ts";

/** The metrics of services over the last day. */
export interface SeriesDeps {
  readonly series: Pick<Series, "get" | "since">;
}

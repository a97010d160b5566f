/** Refuses a driver's URL to which nothing could ever be sent. What its host resolves to is checked with every call. */
import { EgressError } from "../../egress/egress-error.ts";
import type { EgressDeps } from "../deps/egress-deps.ts";
import { Problem } from "../problems/problem.ts";

export function checkDriverUrl({ egress }: EgressDeps, url: string): void {
  try {
    egress.check(url);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw new Problem("url_refused", error.message, { errors: [{ pointer: "#/driver/url", detail: error.message }] });
  }
}

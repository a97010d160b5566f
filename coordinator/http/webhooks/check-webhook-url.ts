/** Refuses a URL that could never be told anything. What its host resolves to is looked at with every attempt. */
import { EgressError } from "../../egress/egress-error.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";

export function checkWebhookUrl({ egress }: Pick<HttpDeps, "egress">, url: string): void {
  try {
    egress.check(url);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw new Problem("url_refused", error.message, { errors: [{ pointer: "#/url", detail: error.message }] });
  }
}

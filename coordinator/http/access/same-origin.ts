/**
 * Whether a request that a browser sent with its cookies comes from the console. `Origin` is compared with the public URL
 * and never with `Host`, which a rebound DNS name would satisfy; `Sec-Fetch-Site` (W3C Fetch Metadata) is set by the browser
 * and by no script.
 */
import type { FastifyRequest } from "fastify";
import { Problem } from "../problems/problem.ts";

/** Throws the refusal of what another site, or nobody's page, sent. */
export function requireSameOrigin({ headers }: Pick<FastifyRequest, "headers">, publicUrl: string): void {
  const { origin } = new URL(publicUrl);
  const site = headers["sec-fetch-site"];
  if (headers.origin === origin && (site === undefined || site === "same-origin")) return;
  const from = headers.origin === undefined ? "a request without the header Origin" : `a page of ${headers.origin}`;
  throw new Problem("origin_refused", `The console is at ${origin}: ${from} may change nothing with its session.`);
}

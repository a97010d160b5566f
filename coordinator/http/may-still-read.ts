/** Whether the caller of an answer that is still being written may go on reading. */
import type { FastifyRequest } from "fastify";
import { authenticate } from "../auth/authenticate.ts";
import { mayUseTeam } from "../auth/authorize.ts";
import type { HttpDeps } from "./http-deps.ts";

/** A key may be revoked, and a user leave the team, while a stream is open. */
export function mayStillRead(
  { store, clock }: Pick<HttpDeps, "store" | "clock">,
  { headers }: Pick<FastifyRequest, "headers">,
  teamId: string,
): boolean {
  const text = headers["x-api-key"];
  const found = authenticate(store.view, typeof text === "string" ? text : undefined, clock.now());
  return found.kind === "key" && mayUseTeam(store.view, found.key, teamId);
}

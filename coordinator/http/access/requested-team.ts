import type { FastifyRequest } from "fastify";

/** The team that a request names by the header `x-team`. */
export function requestedTeam({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  const requested = headers["x-team"];
  return typeof requested === "string" ? requested : undefined;
}

/** POST /v1/shells/:id/terminal-tickets: the right to open a terminal of the shell once, within half a minute. */
import { z } from "zod";
import { giveTicket } from "../../auth/terminal-tickets.ts";
import { TERMINAL_TICKET_MS } from "../../domain/terminal-ticket.ts";
import { refusals } from "../../public/refusals.ts";
import { timestamp, timestampSchema } from "../../public/timestamp.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";
import type { TerminalDeps } from "./terminals.ts";

const schema = {
  operationId: "createTerminalTicket",
  summary: "Get a ticket for a terminal in the browser",
  description: "It opens GET /v1/shells/{id}/terminal once, for the session or access key that it was given to.",
  tags: ["shells"],
  params: z.object({ id: z.string() }),
  response: {
    201: z
      .object({ ticket: z.string().describe("Works once."), expires: timestampSchema })
      .meta({ id: "TerminalTicket" }),
    ...refusals(401, 403, 404, 409, 429, 503),
  },
};

const NO_LINKS =
  "This coordinator is connected to no machines: terminals need one with the roles `http` and `fleet`. Use SSH.";

export function createTerminalTicket(app: App, deps: CallerDeps & Pick<TerminalDeps, "shellTerminals">): void {
  app.route({
    method: "POST",
    url: "/v1/shells/:id/terminal-tickets",
    schema,
    onRequest: requireKey(deps, "shells"),
    handler: async (request, reply) => {
      const { store, clock } = deps;
      const key = keyOf(request);
      const { value: shell } = await readVisible(store, key, "shells", request.params.id);
      if (deps.shellTerminals === null) throw new Problem("no_terminal", NO_LINKS);
      if (shell.state.kind !== "ready") {
        throw new Problem("shell_not_ready", `The shell is ${shell.state.kind.toUpperCase()}, not READY.`);
      }
      const { record, text } = await giveTicket(store, { userId: key.userId, keyId: key.id, shellId: shell.id }, clock);
      return reply.code(201).send({ ticket: text, expires: timestamp(record.createdAt + TERMINAL_TICKET_MS) });
    },
  });
}

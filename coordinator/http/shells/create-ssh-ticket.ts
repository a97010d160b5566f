/** POST /v1/shells/:id/ssh-tickets: the right to connect to the shell once, for OpenSSH with one key, within half a minute. */
import { z } from "zod";
import { NotAKey, readPublicKey } from "../../auth/authorized-key.ts";
import { giveTicket } from "../../auth/terminal-tickets.ts";
import { TERMINAL_TICKET_MS } from "../../domain/terminal-ticket.ts";
import { refusals } from "../../public/refusals.ts";
import { timestamp, timestampSchema } from "../../public/timestamp.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invalidRequest, Problem } from "../problems/problem.ts";

const TEXT_LENGTH_MAX = 2_000;

const schema = {
  operationId: "createSshTicket",
  summary: "Get a ticket for a connection of OpenSSH",
  description:
    "It opens one connection to the SSH gateway, for a client that logs in with the private key of `client_key`, and as " +
    "long as the session or access key that it was given to is valid. A client sends the line `elastic-ticket <ticket>` " +
    "and a line feed before anything else, and speaks SSH from then on.",
  tags: ["shells"],
  params: z.object({ id: z.string() }),
  body: z.strictObject({
    client_key: z.string().max(TEXT_LENGTH_MAX).describe("One line as in a .pub file of ssh-keygen."),
  }),
  response: {
    201: z.object({ ticket: z.string().describe("Works once."), expires: timestampSchema }).meta({ id: "SshTicket" }),
    ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
  },
};

export function createSshTicket(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "POST",
    url: "/v1/shells/:id/ssh-tickets",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "shells"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { store, clock } = deps;
      const { id: keyId, userId } = keyOf(request);
      const { value: shell } = await readVisible(store, keyOf(request), "shells", request.params.id);
      const clientKey = readOrRefuse(request.body.client_key);
      if (shell.state.kind !== "ready") {
        throw new Problem("shell_not_ready", `The shell is ${shell.state.kind.toUpperCase()}, not READY.`);
      }
      const { record, text } = await giveTicket(store, { userId, keyId, shellId: shell.id, clientKey }, clock);
      return reply.code(201).send({ ticket: text, expires: timestamp(record.createdAt + TERMINAL_TICKET_MS) });
    },
  });
}

function readOrRefuse(text: string): string {
  try {
    const { type, blob } = readPublicKey(text);
    return `${type} ${blob}`;
  } catch (error) {
    if (error instanceof NotAKey) throw invalidRequest([{ pointer: "#/client_key", detail: error.message }]);
    throw error;
  }
}

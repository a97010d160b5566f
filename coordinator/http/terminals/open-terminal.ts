/**
 * GET /v1/shells/:id/terminal: a WebSocket with a login shell behind it. A browser sends its cookies along from any site, so a
 * session needs the console's own Origin, and everybody a ticket. A client with an access key may leave the Origin out: no
 * page can send that header with a WebSocket.
 */
import type { FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import { z } from "zod";
import { recheck } from "../../auth/authenticate.ts";
import { mayDo } from "../../auth/authorize.ts";
import { useTicket } from "../../auth/terminal-tickets.ts";
import type { Shell } from "../../domain/shell.ts";
import { refusals } from "../../public/refusals.ts";
import type { ShellTerminals } from "../../tunnels/shell-terminals.ts";
import { addressOf, type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { presentedKey } from "../access/presented-key.ts";
import { readVisible } from "../access/read-visible.ts";
import { requireSameOrigin } from "../access/same-origin.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";
import { TerminalConnection } from "./terminal-connection.ts";
import { COLUMNS_MAX, ROWS_MAX, WINDOW_BYTES } from "./terminal-limits.ts";
import type { TerminalDeps } from "./terminals.ts";
import { acceptWebSocket, refuseUnlessUpgrade } from "./web-sockets.ts";

const querySchema = z.object({
  ticket: z.string().max(200).default(""),
  columns: z.coerce.number().int().min(1).max(COLUMNS_MAX).default(80),
  rows: z.coerce.number().int().min(1).max(ROWS_MAX).default(24),
});

const schema = {
  operationId: "openTerminal",
  summary: "Open a terminal of a shell, as a WebSocket",
  description:
    "Binary messages are input and output. Text messages are JSON: `resize` {columns, rows} and `ack` {bytes} from the " +
    "client; `ack` {bytes}, `notice` {text} and `exit` {code} to it, each with its `type`. Each side sends at most " +
    `${WINDOW_BYTES} bytes before the other acknowledges some. Close codes: 1000 exited, 1001 and 1013 connect again, ` +
    "1008 a message against this protocol, 4000 ended for the reason given.",
  tags: ["shells"],
  params: z.object({ id: z.string() }),
  querystring: querySchema,
  response: {
    101: z.null().describe("The connection is a WebSocket from here on."),
    ...refusals(401, 403, 404, 409, 422, 426, 429, 503),
  },
};

const INVALID = "The ticket does not open this terminal: it was used, has expired, or is another's. Get a new one.";

export function openTerminal(app: App, deps: CallerDeps & RecordDeps & TerminalDeps): void {
  const { shellTerminals } = deps;
  app.route({
    method: "GET",
    url: "/v1/shells/:id/terminal",
    schema,
    exposeHeadRoute: false,
    onRequest: requireKey(deps, "shells"),
    handler: async (request, reply) => {
      const { headers, query, params } = request;
      if (presentedKey(headers) === undefined || headers.origin !== undefined) {
        requireSameOrigin(request, deps.publicUrl());
      }
      const key = keyOf(request);
      const { value: shell } = await readVisible(deps.store, key, "shells", params.id);
      refuseUnlessUpgrade(request);
      if (shellTerminals === null) throw new Problem("no_terminal", "This coordinator is connected to no machines.");
      const holder = { key, teamId: shell.teamId };
      deps.terminals.refuseFull(holder);
      const isValid = await useTicket(deps.store, query.ticket, { keyId: key.id, shellId: shell.id }, deps.clock);
      if (!isValid) throw new Problem("ticket_invalid", INVALID);
      acceptWebSocket(request, reply, (socket) => {
        const connection = connect(deps, request, shell, socket);
        void deps.terminals.run(holder, connection, () =>
          connection.run((show, signal) => open(shellTerminals, request, { shellId: shell.id, query, show }, signal)),
        );
      });
    },
  });
}

function connect(
  deps: RecordDeps & Pick<CallerDeps, "admission">,
  request: FastifyRequest,
  shell: Shell,
  socket: WebSocket,
): TerminalConnection {
  const { store, clock, admission, log } = deps;
  const { id: keyId } = keyOf(request);
  return new TerminalConnection(socket, {
    permission: () => {
      const found = recheck(store.view, keyId, clock.now());
      if (found.kind === "unavailable") return "unknown";
      return found.kind === "key" && mayDo(store.view, found.key, shell.teamId, "shells") ? "granted" : "ended";
    },
    typed: () => admission.uses.note(keyId, clock.now()),
    isUp: () => store.view.shells.get(shell.id)?.value.state.kind === "ready",
    failed: (error) => log.warn({ err: error, requestId: request.id, shellId: shell.id }, "a terminal failed"),
    monotonicMs: () => clock.monotonicMs(),
  });
}

interface TerminalRequest {
  readonly shellId: string;
  readonly query: z.output<typeof querySchema>;
  readonly show: (text: string) => void;
}

function open(
  terminals: ShellTerminals,
  request: FastifyRequest,
  { shellId, query: { columns, rows }, show }: TerminalRequest,
  signal: AbortSignal,
) {
  const { id: keyId, userId } = keyOf(request);
  const address = addressOf(request);
  return terminals.open({ shellId, size: { columns, rows }, userId, keyId, address, show }, signal);
}

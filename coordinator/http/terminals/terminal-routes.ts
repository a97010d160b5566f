/** The endpoints of terminals in browsers. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { createTerminalTicket } from "./create-terminal-ticket.ts";
import { openTerminal } from "./open-terminal.ts";
import type { TerminalDeps } from "./terminals.ts";

export function terminalRoutes(app: App, deps: CallerDeps & RecordDeps & TerminalDeps): void {
  createTerminalTicket(app, deps);
  openTerminal(app, deps);
}

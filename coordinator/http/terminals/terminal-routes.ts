/** The endpoints of terminals in browsers. */
import type { CallerDeps } from "../caller.ts";
import type { App } from "../fastify-app.ts";
import type { RecordDeps } from "../record-deps.ts";
import { createTerminalTicket } from "./create-terminal-ticket.ts";
import { openTerminal } from "./open-terminal.ts";
import type { TerminalDeps } from "./terminals.ts";

export function terminalRoutes(app: App, deps: CallerDeps & RecordDeps & TerminalDeps): void {
  createTerminalTicket(app, deps);
  openTerminal(app, deps);
}

/** The endpoints of terminals in browsers. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { createTerminalTicket } from "./create-terminal-ticket.ts";
import { openTerminal } from "./open-terminal.ts";

export function terminalRoutes(app: App, deps: HttpDeps): void {
  createTerminalTicket(app, deps);
  openTerminal(app, deps);
}

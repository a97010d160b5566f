/** The endpoints of shells. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { createShell } from "./create-shell.ts";
import { createSshTicket } from "./create-ssh-ticket.ts";
import { deleteShell } from "./delete-shell.ts";
import { getShell } from "./get-shell.ts";
import { getShellOffer } from "./get-shell-offer.ts";
import { listShells } from "./list-shells.ts";
import type { ShellDeps } from "./shell-offer.ts";
import { startShell } from "./start-shell.ts";
import { stopShell } from "./stop-shell.ts";

export function shellRoutes(app: App, deps: CallerDeps & RecordDeps & QuotaDeps & ShellDeps & SecretDeps): void {
  getShellOffer(app, deps);
  createShell(app, deps);
  listShells(app, deps);
  getShell(app, deps);
  createSshTicket(app, deps);
  stopShell(app, deps);
  startShell(app, deps);
  deleteShell(app, deps);
}

/** Gets a ticket for a shell and connects OpenSSH with the gateway: what `elastic shell ssh-config --tickets` has it run. */
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { openSession } from "../session/session.ts";
import { addressOf } from "./address.ts";
import { notComing } from "./await-shell.ts";
import { clientKey } from "./client-key.ts";
import { connectGateway } from "./connect-gateway.ts";
import { findShell } from "./find-shell.ts";
import { ticketOf } from "./find-way.ts";

/** Ends the process as `connectGateway` does. Rejects with a CliError. */
export async function connectWithTicket(
  context: Pick<Context, "settings" | "signal">,
  shellId: string,
): Promise<never> {
  const caller = await openSession(context);
  const shell = await findShell(caller, shellId);
  const address = addressOf(shell);
  if (shell.state !== "READY") throw notComing(shell);
  const key = await clientKey(context.settings.configDir);
  const ticket = key === null ? null : await ticketOf(caller, shell.shell_id, key.public);
  if (ticket === null) {
    throw new CliError("This installation gives no tickets for OpenSSH.", {
      code: "no_tickets",
      next: "Leave --tickets out of `elastic shell ssh-config`.",
    });
  }
  return await connectGateway(address, ticket);
}

/**
 * What OpenSSH runs as its ProxyCommand: `connect-ssh <host> <port>` with a ticket in its environment, or `connect-ssh <shell id>`,
 * which gets one. A separate program, without what only other commands use, since it starts with each connection.
 */
import { readSettings } from "../context/config.ts";
import { CliError } from "../errors/cli-error.ts";
import { connectGateway } from "../shell/connect-gateway.ts";

const [hostOrShell = "", port] = process.argv.slice(2);
const { ELASTIC_SSH_TICKET: ticket = "" } = process.env;

try {
  if (port !== undefined) await connectGateway({ host: hostOrShell, port: Number(port) }, ticket);
  const { connectWithTicket } = await import("../shell/connect-with-ticket.ts");
  await connectWithTicket({ settings: readSettings(process.env, false), signal: AbortSignal.any([]) }, hostOrShell);
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  console.error(["elastic:", error.message, error.next].filter((part) => part !== undefined).join(" "));
  process.exit(error.exitCode);
}

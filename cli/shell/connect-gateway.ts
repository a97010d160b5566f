/**
 * Connects OpenSSH with the gateway of shells, as its ProxyCommand: sends the ticket that names the shell, and hands the
 * connection over to OpenSSH (ProxyUseFdpass), so that nothing copies what it carries. Where the system knows no such thing,
 * it carries the bytes itself.
 */
import { connect, Socket } from "node:net";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

/** Ends the process once OpenSSH has the connection, or when it is over. Rejects with a CliError. */
export async function connectGateway(
  { host, port }: { readonly host: string; readonly port: number },
  ticket: string,
): Promise<never> {
  const gateway = connect({ host, port, noDelay: true, keepAlive: true });
  // What is read here before it is handed over would be lost.
  gateway.pause();
  const failed = Promise.withResolvers<never>();
  gateway.on("error", failed.reject);
  // Leaves as soon as it is connected: the gateway takes whoever is silent for a second for a client that waits for it.
  gateway.write(`elastic-ticket ${ticket}\n`, (error) => {
    if (error) return;
    if (process.send === undefined) carry(gateway, failed.reject);
    else handOver(gateway, failed.reject);
  });
  return await failed.promise.catch(({ message }: Error) => {
    throw new CliError(`The connection to ${host}:${port} failed: ${message}`, {
      exitCode: EXIT.openssh,
      code: "no_connection",
    });
  });
}

/** OpenSSH takes the file descriptor that comes with the first byte, and reads no further one. */
function handOver(gateway: Socket, failed: (error: Error) => void): void {
  process.send?.("connected", gateway, {}, (error) => (error === null ? process.exit(EXIT.ok) : failed(error)));
}

function carry(gateway: Socket, failed: (error: Error) => void): void {
  // Not Node's own, which write to a pipe in the foreground.
  const input = new Socket({ fd: 0, readable: true, writable: false });
  const output = new Socket({ fd: 1, readable: false, writable: true });
  for (const side of [input, output]) side.on("error", failed);
  input.pipe(gateway);
  gateway.pipe(output);
  gateway.once("close", () => output.end(() => process.exit(EXIT.ok)));
}

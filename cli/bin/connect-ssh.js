// What OpenSSH runs as its ProxyCommand: connects to the gateway of shells and sends the ticket that names the shell. Then it
// hands the connection over to OpenSSH (ProxyUseFdpass), so that nothing copies what it carries; where the system knows no such
// thing, it carries the bytes itself. A separate file without imports of the command, since it starts with each connection.
import { connect, Socket } from "node:net";

const FAILED = 255;
const [host = "", port = ""] = process.argv.slice(2);
const { ELASTIC_SSH_TICKET: ticket = "" } = process.env;

const gateway = connect({ host, port: Number(port), noDelay: true, keepAlive: true });
// What is read here before it is handed over would be lost.
gateway.pause();
gateway.on("error", ({ message }) => {
  console.error(`elastic: the connection to ${host}:${port} failed: ${message}`);
  process.exit(FAILED);
});
// Leaves as soon as it is connected: the gateway takes whoever is silent for a second for a client that waits for it.
gateway.write(`elastic-ticket ${ticket}\n`, (error) => {
  if (error) return;
  if (process.send === undefined) carry();
  else handOver();
});

/** OpenSSH takes the file descriptor that comes with the first byte, and reads no further one. */
function handOver() {
  process.send("connected", gateway, {}, () => process.exit(0));
}

function carry() {
  // Not Node's own, which write to a pipe in the foreground.
  const input = new Socket({ fd: 0, readable: true, writable: false });
  const output = new Socket({ fd: 1, readable: false, writable: true });
  for (const side of [input, output]) side.on("error", () => process.exit(FAILED));
  input.pipe(gateway);
  gateway.pipe(output);
  gateway.once("close", () => output.end(() => process.exit(0)));
}

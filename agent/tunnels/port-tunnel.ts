/**
 * A connection to a port of a shell's container: made by a process that enters the container's network and nothing
 * else of it, so that it reaches what listens there and no other machine's, the host's least of all.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { spawned } from "../workloads/spawned.ts";
import { writeAll } from "./byte-pipe.ts";
import { NoTunnel, type ShellContainer } from "./shell-container.ts";
import type { TunnelCall } from "./tunnel-call.ts";

type Relay = ChildProcessByStdio<Writable, Readable, Readable>;

const PORT_MAX = 65_535;
const CONNECTS_WITHIN_SECONDS = 10;
/** How long one direction stays open alone. */
const HALF_OPEN_SECONDS = 600;
const PREFACE_BYTES_MAX = 64 * 1024;
/** What the relay says, in words that are as old as itself, when both ends are connected. */
const CONNECTED = "starting data transfer loop";

export async function runPort(shell: ShellContainer, port: number, open: () => TunnelCall): Promise<void> {
  if (port < 1 || port > PORT_MAX) throw new NoTunnel(`${port} is no port`);
  const relay = await connect(shell, port);
  const call = open();
  call.over.addEventListener("abort", () => relay.kill("SIGKILL"), { once: true });
  call.receive(async (message) => {
    if (message.$case === "stdin") return await writeAll(relay.stdin, message.value, call.over);
    if (message.$case === "stdinEnd") relay.stdin.end();
  });
  try {
    for await (const chunk of relay.stdout as AsyncIterable<Buffer>) await call.sendBytes("stdout", chunk);
  } finally {
    await call.send({ $case: "exit", value: {} });
    call.end();
    relay.kill("SIGKILL");
  }
}

/** As with a prover's relay: it counts only if the container still runs as the process whose network was entered. */
async function connect(shell: ShellContainer, port: number): Promise<Relay> {
  const pid = await shell.pid();
  const relay = startRelay(pid, port);
  try {
    await untilConnected(relay, port);
    if ((await shell.pid()) !== pid) throw new NoTunnel("the shell was restarted; try again");
    return relay;
  } catch (error) {
    relay.kill("SIGKILL");
    throw error;
  }
}

function startRelay(pid: number, port: number): Relay {
  const target = `TCP4:127.0.0.1:${port},connect-timeout=${CONNECTS_WITHIN_SECONDS}`;
  const socat = ["socat", "-d", "-d", "-t", `${HALF_OPEN_SECONDS}`, "STDIO", target];
  const words = ["--pdeathsig", "KILL", "nsenter", `--net=/proc/${pid}/ns/net`, ...socat];
  const relay = spawned(spawn("setpriv", words, { stdio: ["pipe", "pipe", "pipe"] }));
  relay.stdin.on("error", () => undefined);
  return relay;
}

function untilConnected(relay: Relay, port: number): Promise<void> {
  const refused = () => new NoTunnel(`nothing in the shell listens on port ${port}`);
  return new Promise((resolve, reject) => {
    let received = "";
    relay.stderr.on("data", (chunk: Buffer) => {
      if (received.length < PREFACE_BYTES_MAX) received += chunk.toString("latin1");
      if (received.includes(CONNECTED)) resolve();
    });
    relay.once("error", reject);
    relay.once("exit", () => reject(refused()));
  });
}

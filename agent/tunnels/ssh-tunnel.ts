/** An sshd in a shell's container, its bytes carried between the coordinator and it: what they say nobody on the way reads. */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import type { SshTunnel } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import { StreamFrames } from "../workloads/docker/stream-frames.ts";
import { openNetwork, relayInside } from "./inside-relay.ts";
import { NoTunnel, type ShellContainer } from "./shell-container.ts";
import { LISTENING, NO_SSHD, SSHD_SCRIPT } from "./sshd-script.ts";
import type { TunnelSocket } from "./tunnel-socket.ts";

const LISTENS_WITHIN_MS = 10_000;
/** Below those that the kernel gives to connections. */
const PORTS = { min: 20_000, max: 32_000 };
const LOG_LENGTH_MAX = 16 * 1024;

/** `dial` connects to the coordinator. Resolves with `over`, or when either side has closed; then nothing of it is left. */
export async function runSsh(
  shell: ShellContainer,
  wanted: SshTunnel,
  dial: () => Promise<TunnelSocket>,
  over: AbortSignal,
): Promise<void> {
  const port = randomInt(PORTS.min, PORTS.max);
  await using network = await openNetwork(shell);
  const sshd = await startSshd(shell, wanted, port);
  try {
    await relayInside(await dial(), network, port, over);
  } finally {
    // The script ends with its input.
    sshd.end();
  }
}

/** Its standard input; it listens when this resolves. */
async function startSshd(shell: ShellContainer, wanted: SshTunnel, port: number): Promise<Duplex> {
  const exec = await shell.container.exec({
    Cmd: ["/bin/sh", "-c", SSHD_SCRIPT],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
  });
  const stream = await exec.start({ hijack: true, stdin: true, Tty: false });
  stream.on("error", () => undefined);
  const lines = [keyBody(wanted.hostKey), wanted.hostCertificate, wanted.clientKey, `${port}`];
  stream.write(lines.map((line) => `${line}\n`).join(""));
  const listening = Promise.withResolvers<void>();
  const frames = new StreamFrames();
  let log = "";
  stream.on("data", (chunk: Buffer) => {
    for (const { bytes } of frames.take(chunk)) if (log.length < LOG_LENGTH_MAX) log += bytes.toString("latin1");
    if (log.includes(LISTENING)) listening.resolve();
  });
  const ended = once(stream, "close", { signal: AbortSignal.timeout(LISTENS_WITHIN_MS) });
  try {
    await Promise.race([listening.promise, ended.then(() => refuse(exec, log))]);
    return stream;
  } catch (error) {
    stream.destroy();
    throw error;
  } finally {
    ended.catch(() => undefined);
  }
}

async function refuse(exec: { inspect(): Promise<{ readonly ExitCode: number | null }> }, log: string): Promise<never> {
  const { ExitCode } = await exec.inspect();
  if (ExitCode === NO_SSHD) throw new NoTunnel("the shell's image has no sshd that its user may log in with");
  throw new NoTunnel(`the shell's sshd did not start: ${log.trim().slice(-500) || `it exited with ${ExitCode}`}`);
}

/** On one line, as the script reads it. */
function keyBody(hostKey: string): string {
  return hostKey.replace(/-----[A-Z ]+-----/g, "").replace(/\s/g, "");
}

/**
 * Passes bytes between a connection and a port of a container: by a process that enters the container's network and nothing else
 * of it. It is given the connection itself, so that no further process copies what it carries.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { spawned } from "../workloads/spawned.ts";
import { NoTunnel, type ShellContainer } from "./shell-container.ts";
import type { TunnelSocket } from "./tunnel-socket.ts";

const CONNECTS_WITHIN_SECONDS = 10;
const PIECE_BYTES = 64 * 1024;
/** Numbers of the file descriptors that the process is given. */
const NETWORK = 3;
const CONNECTION = 4;
/** For what was sent last. */
const CLOSES_WITHIN_MS = 1_000;

/** That of the container that runs now, whatever becomes of the number of its process. */
export async function openNetwork(shell: ShellContainer): Promise<FileHandle> {
  const pid = await shell.pid();
  const network = await open(`/proc/${pid}/ns/net`);
  if ((await shell.pid()) === pid) return network;
  await network.close();
  throw new NoTunnel("the shell was restarted; try again");
}

/** Resolves when it is over: with `over`, or when either side has closed. */
export async function relayInside(
  { socket, isPlain }: TunnelSocket,
  network: FileHandle,
  port: number,
  over: AbortSignal,
): Promise<void> {
  const relay = startRelay(network, port, isPlain ? socket : "pipe");
  const ended = once(relay, "exit");
  const kill = () => relay.kill("SIGKILL");
  over.addEventListener("abort", kill, { once: true });
  if (over.aborted) kill();
  if (isPlain) {
    // It stays open in the relay.
    socket.destroy();
    await ended;
  } else await Promise.all([carry(relay.stdio[CONNECTION] as Duplex, socket), ended]);
  over.removeEventListener("abort", kill);
}

function startRelay(network: FileHandle, port: number, connection: Socket | "pipe"): ChildProcess {
  const inside = `TCP4:127.0.0.1:${port},connect-timeout=${CONNECTS_WITHIN_SECONDS},nodelay`;
  // Node leaves a connection in a mode in which socat would wait a second whenever the other side is slow.
  const socat = ["socat", "-b", `${PIECE_BYTES}`, `FD:${CONNECTION},nonblock=0`, inside];
  const enter = ["--pdeathsig", "KILL", "nsenter", `--net=/proc/self/fd/${NETWORK}`];
  return spawned(
    spawn("setpriv", [...enter, ...socat], {
      stdio: ["ignore", "ignore", "ignore", network.fd, connection],
    }),
  );
}

/** Each side as fast as the other takes it. */
async function carry(inside: Duplex, outside: Duplex): Promise<void> {
  const sides = [inside, outside] as const;
  const cut = (): void => {
    for (const side of sides) side.destroy();
  };
  const closed = sides.map((side) => new Promise<void>((resolve) => side.once("close", resolve)));
  for (const side of sides) side.on("error", cut);
  inside.pipe(outside);
  outside.pipe(inside);
  await Promise.race(closed);
  for (const side of sides) side.end();
  const late = setTimeout(cut, CLOSES_WITHIN_MS);
  await Promise.all(closed);
  clearTimeout(late);
}

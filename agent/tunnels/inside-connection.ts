/**
 * A connection to a port of a container, from within its network: made by a process that enters that network and nothing
 * else, and passed to this one, so that no further process copies what it carries.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { spawned } from "../workloads/spawned.ts";
import { NoTunnel, type ShellContainer } from "./shell-container.ts";

const CONNECTS_WITHIN_MS = 10_000;

/** Paused before it connects: what it read there would be lost. */
const CONNECT = `
const socket = require("node:net").connect({ host: "127.0.0.1", port: Number(process.argv[1]) });
socket.pause();
socket.once("error", () => process.exit(1));
socket.once("connect", () => process.send("connected", socket, () => process.disconnect()));
`;

/** It counts only if the container still runs as the process whose network was entered. */
export async function connectInside(shell: ShellContainer, port: number): Promise<Socket> {
  const pid = await shell.pid();
  const enter = ["--pdeathsig", "KILL", "nsenter", `--net=/proc/${pid}/ns/net`];
  const child = spawned(
    spawn("setpriv", [...enter, process.execPath, "-e", CONNECT, `${port}`], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      signal: AbortSignal.timeout(CONNECTS_WITHIN_MS),
    }),
  );
  const socket = await new Promise<Socket>((resolve, reject) => {
    const failed = () => reject(new NoTunnel("nothing in the shell listens on its port"));
    child.once("message", (_, handle) => (handle === undefined ? failed() : resolve(handle as Socket)));
    // Which comes after all that it has sent, as its exit may not.
    child.once("error", failed).once("disconnect", failed);
  });
  socket.on("error", () => undefined).setNoDelay(true);
  if ((await shell.pid()) === pid) return socket;
  socket.destroy();
  throw new NoTunnel("the shell was restarted; try again");
}

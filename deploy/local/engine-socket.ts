/** Finds container engines that respond, over their Unix sockets. */
import { request } from "node:http";
import { until } from "./until.ts";

/** Where Docker and Podman listen by default. */
const ENGINE_SOCKETS: readonly string[] = ["/var/run/docker.sock", "/run/podman/podman.sock"];

const ANSWER_TIMEOUT_MS = 2000;

/** Whether an engine responds on this socket. */
function engineResponds(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = request({ socketPath, path: "/_ping", timeout: ANSWER_TIMEOUT_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    ping.on("timeout", () => ping.destroy());
    ping.on("error", () => resolve(false));
    ping.end();
  });
}

/** The first of `sockets` on which an engine responds, or null. */
export async function findEngine(sockets: readonly string[] = ENGINE_SOCKETS): Promise<string | null> {
  for (const socket of sockets) {
    if (await engineResponds(socket)) return socket;
  }
  return null;
}

/** Resolves once an engine responds on this socket. */
export async function engineServes(socketPath: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const responds = async (): Promise<true | undefined> => ((await engineResponds(socketPath)) ? true : undefined);
  await until("the container engine responds", responds, { timeoutMs, signal });
}

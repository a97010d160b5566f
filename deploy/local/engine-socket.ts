/** Asks container engines whether they are there, over their Unix sockets. */
import { request } from "node:http";
import { until } from "./until.ts";

/** Where Docker and Podman listen by default. */
const ENGINE_SOCKETS: readonly string[] = ["/var/run/docker.sock", "/run/podman/podman.sock"];

const ANSWER_TIMEOUT_MS = 2000;

/** Whether an engine answers on this socket. */
function engineAnswers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const ask = request({ socketPath, path: "/_ping", timeout: ANSWER_TIMEOUT_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    ask.on("timeout", () => ask.destroy());
    ask.on("error", () => resolve(false));
    ask.end();
  });
}

/** The first of `sockets` on which an engine answers, or null. */
export async function findEngine(sockets: readonly string[] = ENGINE_SOCKETS): Promise<string | null> {
  for (const socket of sockets) {
    if (await engineAnswers(socket)) return socket;
  }
  return null;
}

/** Resolves once an engine answers on this socket. */
export async function engineServes(socketPath: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const answers = async (): Promise<true | undefined> => ((await engineAnswers(socketPath)) ? true : undefined);
  await until("the container engine answers", answers, { timeoutMs, signal });
}

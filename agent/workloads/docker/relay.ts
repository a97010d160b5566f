/**
 * The way to a container without a network: a process that enters its network namespace and hands connections of
 * a Unix socket to the prover's port. It dies with the agent.
 */
import { spawn } from "node:child_process";
import { access, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { StartFailure } from "../../domain/start-failure.ts";

export interface Relay {
  readonly socketPath: string;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface RelayOptions {
  /** A process of the container, as the host counts. */
  readonly pid: number;
  readonly port: number;
  readonly socketPath: string;
  readonly connectionsMax: number;
}

const LISTENS_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 3;

/** Resolves once it listens. */
export async function startRelay({ pid, port, socketPath, connectionsMax }: RelayOptions): Promise<Relay> {
  const listen = `UNIX-LISTEN:${socketPath},fork,max-children=${connectionsMax},mode=600,unlink-early`;
  const child = spawn(
    "setpriv",
    ["--pdeathsig", "KILL", "nsenter", `--net=/proc/${pid}/ns/net`, "socat", listen, `TCP4:127.0.0.1:${port}`],
    { stdio: "ignore" },
  );
  let why = "";
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      why = error.message;
      resolve();
    });
    child.once("exit", (code, signal) => {
      why = `it ended with ${signal ?? code}`;
      resolve();
    });
  });
  // A kill leaves the socket, and nothing else looks for it.
  const gone = ended.then(() => rm(socketPath, { force: true }));
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  const over = ended.then(() => true);
  for (const until = performance.now() + LISTENS_WITHIN_MS; ; ) {
    if (await exists(socketPath)) return { socketPath, ended: gone, stop };
    if (performance.now() > until || (await Promise.race([over, delay(LOOK_EVERY_MS, false)]))) {
      await stop();
      throw new StartFailure("internal", `the relay into the container did not start: ${why || "it does not listen"}`);
    }
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

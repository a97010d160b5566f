/** A script in a process that ends with this one: it sends one message once it is ready, and ends when it is disconnected. */
import { type ChildProcess, fork } from "node:child_process";

export interface Forked<Ready> {
  readonly pid: number;
  /** What it sent. */
  readonly ready: Ready;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

export interface ForkOptions {
  /** Default the Node of this process. */
  readonly node?: string;
}

/** Starts `script` with `settings` as its argument (`readSettings`). */
export async function startForked<Ready>(
  script: string,
  settings: object,
  { node = process.execPath }: ForkOptions = {},
): Promise<Forked<Ready>> {
  const child = fork(script, [JSON.stringify(settings)], { serialization: "advanced", execPath: node });
  const ready = await nextMessage<Ready>(child);
  return {
    pid: child.pid ?? 0,
    ready,
    child,
    stop() {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
      return new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.disconnect();
      });
    },
  };
}

/** Rejects when the process ends first. */
export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`${child.spawnargs[1] ?? "a process"} ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (message: T) => {
      child.off("exit", onExit);
      resolve(message);
    });
  });
}

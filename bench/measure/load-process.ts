/** A load process from its parent's side. */
import { type ChildProcess, fork } from "node:child_process";
import type { LoadOrder, LoadReport } from "./load.ts";

export interface LoadProcess {
  /** One order at a time. */
  run(order: LoadOrder): Promise<LoadReport>;
  stop(): Promise<void>;
}

interface Message {
  readonly report?: LoadReport;
  readonly error?: string;
}

/** Starts `script`, which calls `serveOrders`, with `settings` as its argument. */
export async function startLoadProcess(script: string, settings: object): Promise<LoadProcess> {
  const child = fork(script, [JSON.stringify(settings)], { serialization: "advanced" });
  await nextMessage(child);
  return {
    async run(order) {
      const message = nextMessage(child);
      child.send(order);
      const { report, error } = await message;
      if (report === undefined) throw new Error(error);
      return report;
    },
    stop() {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
      return new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.disconnect();
      });
    },
  };
}

function nextMessage(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a load process ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (message: Message) => {
      child.off("exit", onExit);
      resolve(message);
    });
  });
}

/** A load process from its parent's side. */
import { nextMessage, startForked } from "./forked.ts";
import type { LoadOrder, LoadReport } from "./load.ts";

export interface LoadProcess {
  readonly pid: number;
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
  const { child, pid, stop } = await startForked(script, settings);
  return {
    pid,
    async run(order) {
      const message = nextMessage<Message>(child);
      child.send(order);
      const { report, error } = await message;
      if (report === undefined) throw new Error(error);
      return report;
    },
    stop,
  };
}

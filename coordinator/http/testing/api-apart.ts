/** The API on a separate thread: its responses must be described, and none may block its event loop. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Question } from "./api-thread.ts";

/** Nothing that a client sends may take longer in one go. */
const STALL_MS = 50;
/** A turn may have been cold, or have cleared up after others; what is slow in itself is slow most times. */
const TRIES = 3;

interface Started {
  readonly url: string;
  readonly key: string;
  /** Of a service that is ready. */
  readonly serviceId: string;
}

export interface ApiApart extends Started, AsyncDisposable {
  /** Returns what the work does; throws where the event loop was blocked by it. The work may be done again. */
  unstalled<T>(work: () => Promise<T>): Promise<T>;
  /** Has it stand still, to see that this is found. */
  stall(): Promise<void>;
}

export async function startApiApart(): Promise<ApiApart> {
  const worker = new Worker(new URL("./api-thread.ts", import.meta.url), { execArgv: [] });
  const order = async (question: Question): Promise<number> => {
    const responded = once(worker, "message");
    worker.postMessage(question);
    return (await responded)[0];
  };
  const [started] = (await once(worker, "message")) as [Started];
  return {
    ...started,
    async unstalled(work) {
      const tookMs: number[] = [];
      for (;;) {
        await order("begin");
        const done = await work().finally(async () => tookMs.push(await order("end")));
        const slow = tookMs.filter((ms) => ms > STALL_MS).length;
        if (slow <= tookMs.length / 2) return done;
        if (slow > TRIES / 2) throw new Error(`the event loop stood still for ${tookMs.join(", ")} ms`);
      }
    },
    async stall() {
      await order("stall");
    },
    async [Symbol.asyncDispose]() {
      await order("stop");
      await worker.terminate();
    },
  };
}

/**
 * Starts the thread that sends heartbeats, and starts it again should it end. Heartbeats of the event loop are sent as
 * well, on each link: coordinators that do not know the call of the thread have those alone.
 */
import { Worker } from "node:worker_threads";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { TlsFiles } from "../domain/tls-files.ts";
import type { HeartbeatTarget } from "./heartbeat-stream.ts";
import type { HeartbeatOrder, HeartbeatWorkerData } from "./heartbeat-worker.ts";
import { SharedContact } from "./shared-contact.ts";

export interface Heartbeats {
  /** What coordinators acknowledged is in it, also while the event loop is blocked. */
  readonly contact: SharedContact;
  /** Instead of those of an earlier link to the same address. */
  send(target: HeartbeatTarget): void;
  end(address: string): void;
  stop(): void;
}

export interface HeartbeatsOptions {
  readonly files: TlsFiles;
  readonly clock: Clock;
  readonly log: Logger;
}

const RESPONDS_EVERY_MS = 250;
const RESTART_MS = 5_000;
/** It holds a stream for each coordinator. */
const RESOURCES = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

export function startHeartbeats({ files, clock, log }: HeartbeatsOptions): Heartbeats {
  const contact = new SharedContact();
  const targets = new Map<string, HeartbeatTarget>();
  let worker: Worker | null = null;
  let restart: NodeJS.Timeout | undefined;

  const responds = (): void => contact.onLoopResponds(clock.monotonicMs());
  responds();
  const responding = setInterval(responds, RESPONDS_EVERY_MS);

  const start = (): Worker => {
    const clockAheadMs = clock.monotonicMs() - Number(process.hrtime.bigint()) / 1e6;
    const workerData: HeartbeatWorkerData = { memory: contact.memory, files, clockAheadMs };
    const own = { execArgv: [], resourceLimits: RESOURCES };
    const started = new Worker(new URL("./heartbeat-worker.ts", import.meta.url), { workerData, ...own });
    started.unref();
    let failure: Error | null = null;
    started.on("error", (error) => {
      failure = error;
    });
    started.on("exit", () => {
      if (worker !== started) return;
      worker = null;
      log.error({ err: failure }, "the heartbeat thread ended: until it runs again heartbeats wait for the event loop");
      restart = setTimeout(() => {
        for (const target of targets.values()) post(target);
      }, RESTART_MS);
    });
    return started;
  };
  const post = (order: HeartbeatOrder): void => {
    worker ??= start();
    worker.postMessage(order);
  };

  return {
    contact,
    send: (target) => {
      targets.set(target.address, target);
      post(target);
    },
    end: (address) => {
      if (targets.delete(address))
        worker?.postMessage({ address, linkId: null, intervalMs: 0 } satisfies HeartbeatOrder);
    },
    stop: () => {
      clearInterval(responding);
      clearTimeout(restart);
      const last = worker;
      worker = null;
      void last?.terminate();
    },
  };
}

/** The thread that sends heartbeats: it has an event loop that no work can hold up. Started by heartbeats.ts. */
import { parentPort, workerData } from "node:worker_threads";
import type { TlsFiles } from "../domain/tls-files.ts";
import { channelsOf } from "./channel.ts";
import { type HeartbeatStream, type HeartbeatTarget, sendHeartbeats } from "./heartbeat-stream.ts";
import { SharedContact } from "./shared-contact.ts";

export interface HeartbeatWorkerData {
  readonly memory: SharedArrayBuffer;
  readonly files: TlsFiles;
  /** What the clock of the event loop is ahead of the machine's. */
  readonly clockAheadMs: number;
}

/** Of the heartbeats to a coordinator; `linkId` is null to end them. */
export type HeartbeatOrder = Omit<HeartbeatTarget, "linkId"> & { readonly linkId: string | null };

// As in main.ts.
process.noDeprecation = true;

const { memory, files, clockAheadMs } = workerData as HeartbeatWorkerData;
const channels = channelsOf(files);
const options = {
  dial: (address: string) => channels.fleet(address),
  contact: new SharedContact(memory),
  // That of `performance` begins with each thread.
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6 + clockAheadMs,
  random: Math.random,
};
const streams = new Map<string, HeartbeatStream>();

parentPort?.on("message", ({ address, linkId, intervalMs }: HeartbeatOrder) => {
  streams.get(address)?.stop();
  if (linkId === null) streams.delete(address);
  else streams.set(address, sendHeartbeats({ address, linkId, intervalMs }, options));
});

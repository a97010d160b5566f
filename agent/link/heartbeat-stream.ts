/**
 * The heartbeats of one link, as the thread sends them: over a connection that nothing else uses, opened again when it
 * breaks off, until the coordinator says that the link is no longer the node's newest.
 *
 * They vouch for an event loop that does not respond, since provers run on meanwhile and nothing of them is lost; but not
 * for longer than it may take to come back. Then they end, and the node is lost.
 */
import type { FleetServiceClient, HeartbeatsResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type ServiceError, status } from "@grpc/grpc-js";
import { backoffMs } from "../domain/backoff.ts";
import type { SharedContact } from "./shared-contact.ts";

export interface HeartbeatTarget {
  readonly address: string;
  /** Of the coordinator's welcome. */
  readonly linkId: string;
  readonly intervalMs: number;
}

export interface HeartbeatStreamOptions {
  readonly dial: (address: string) => FleetServiceClient;
  readonly contact: SharedContact;
  readonly monotonicMs: () => number;
  readonly random: () => number;
}

export interface HeartbeatStream {
  stop(): void;
}

/** Longer than swapping, a collection of garbage or a native call should take. */
export const VOUCHED_FOR_MS = 120_000;
/** As of a link. */
const SILENT_INTERVALS_MAX = 4;
const INTERVAL_MS_MIN = 50;
const BACKOFF = { firstMs: 250, longestMs: 5_000 };
/** The next link may be accepted, this one will not be. */
const FINAL: ReadonlySet<status | undefined> = new Set([
  status.ABORTED,
  status.FAILED_PRECONDITION,
  status.INVALID_ARGUMENT,
  status.PERMISSION_DENIED,
  status.UNAUTHENTICATED,
  status.UNIMPLEMENTED,
]);

export function sendHeartbeats(target: HeartbeatTarget, options: HeartbeatStreamOptions): HeartbeatStream {
  const { dial, contact, monotonicMs, random } = options;
  const { address, linkId } = target;
  const intervalMs = Math.max(INTERVAL_MS_MIN, target.intervalMs);
  let close = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;

  const after = (delayMs: number): void => {
    close();
    clearTimeout(timer);
    timer = setTimeout(open, delayMs);
  };
  const failed = (code?: status): void => {
    failures += 1;
    if (FINAL.has(code)) stop();
    else after(backoffMs(BACKOFF, failures, random()));
  };
  const stop = (): void => {
    close();
    clearTimeout(timer);
  };
  const isVouched = (): boolean => contact.loopSilentMs(monotonicMs()) <= VOUCHED_FOR_MS;

  const open = (): void => {
    if (!isVouched()) {
      after(intervalMs);
      return;
    }
    let client: FleetServiceClient;
    try {
      client = dial(address);
    } catch {
      // The files of the certificate are being replaced.
      failed();
      return;
    }
    const stream = client.heartbeats();
    const sentAtMs = new Map<bigint, number>();
    let sequence = 0n;
    let isOpen = true;
    const beat = (): void => {
      if (!isVouched()) after(intervalMs);
      else if (sentAtMs.size >= SILENT_INTERVALS_MAX) failed();
      else {
        sequence += 1n;
        const nowMs = monotonicMs();
        sentAtMs.set(sequence, nowMs);
        stream.write({ linkId, sequence, loopSilentMs: contact.loopSilentMs(nowMs) });
      }
    };
    const beats = setInterval(beat, intervalMs);
    close = () => {
      close = () => undefined;
      isOpen = false;
      clearInterval(beats);
      stream.cancel();
      client.close();
    };
    const ended = (code?: status): void => {
      if (isOpen) failed(code);
    };
    stream.on("data", ({ sequence: acknowledged }: HeartbeatsResponse) => {
      const sent = sentAtMs.get(acknowledged);
      if (!isOpen || sent === undefined) return;
      for (const earlier of sentAtMs.keys()) if (earlier <= acknowledged) sentAtMs.delete(earlier);
      failures = 0;
      contact.onAlive(sent, monotonicMs());
    });
    stream.on("error", ({ code }: Partial<ServiceError>) => ended(code));
    stream.on("end", () => ended());
    beat();
  };

  open();
  return { stop };
}

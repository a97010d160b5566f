/** A process with the links of an agent, and no work, whose event loop is blocked once it is linked. */

import { Hello } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import type { TlsFiles } from "../../domain/tls-files.ts";
import { channelsOf } from "../channel.ts";
import { startHeartbeats } from "../heartbeats.ts";
import { createLinks } from "../links.ts";

export interface BlockedLoopSettings {
  readonly address: string;
  readonly files: TlsFiles;
  readonly blockedMs: number;
}

export interface BlockedLoopMessage {
  /** How often its fence made it abandon its work, until a while after it woke. */
  readonly fences: number;
}

// As in main.ts.
process.noDeprecation = true;

/** For the thread to start and open its stream, and at the end for what follows from having been blocked. */
const SETTLES_MS = 900;

const { address, files, blockedMs } = JSON.parse(process.argv[2] ?? "") as BlockedLoopSettings;
const parts = { clock: systemClock, log: createLog({ name: "agent", level: "silent" }) };
const heartbeats = startHeartbeats({ files, ...parts });
const links = createLinks({
  addresses: [address],
  channels: channelsOf(files),
  heartbeats,
  random: Math.random,
  ...parts,
});
const nothing = () => undefined;
let fences = 0;

links.open({
  hello: () => Hello.fromPartial({ nodeId: "n1", protocolVersion: 1, sessionId: "session-1" }),
  gpuReadings: () => [],
  onWelcome: () => {
    setTimeout(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs);
      setTimeout(() => process.send?.({ fences } satisfies BlockedLoopMessage), SETTLES_MS);
    }, SETTLES_MS);
  },
  endedBefore: () => [],
  onEndedNoted: nothing,
  onCommand: nothing,
  onNodeState: nothing,
  onOpenTunnel: nothing,
  onRenewalWanted: nothing,
  onUnlinked: nothing,
  onFenced: () => {
    fences += 1;
  },
});

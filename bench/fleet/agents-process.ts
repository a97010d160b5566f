/** The process of simulated-agents.ts. The links are those of the agent itself; what runs on a machine is not there. */
import { channelsOf } from "@elastic/agent/link/channel.ts";
import { createLinks, type Links } from "@elastic/agent/link/links.ts";
import { Hello } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import type { AgentsReport, AgentsSettings } from "./simulated-agents.ts";
import { threadHeartbeats } from "./thread-heartbeats.ts";
import { timed } from "./timed-channels.ts";

const log = createLog({ name: "agents", level: "silent" });
let links: readonly Links[] = [];
let roundTripsMs: number[] = [];
let dials = new Map<number, number>();
let fenced = 0;

const observer = {
  onDial: () => {
    const second = Math.floor(performance.now() / 1000);
    dials.set(second, (dials.get(second) ?? 0) + 1);
  },
  onRoundTrip: (ms: number) => void roundTripsMs.push(ms),
};

function start({ addresses, agents }: AgentsSettings): void {
  links = agents.map(({ nodeId, files }) => {
    const channels = channelsOf({ caFile: files.ca, certFile: files.cert, keyFile: files.key });
    const one = createLinks({
      addresses,
      channels: timed(channels, observer),
      heartbeats: threadHeartbeats(channels),
      random: Math.random,
      clock: systemClock,
      log,
    });
    const hello = Hello.fromPartial({
      nodeId,
      protocolVersion: 1,
      agentVersion: "0.1.0",
      sessionId: "simulated-1",
      inventory: Inventory.fromPartial({ hostname: nodeId, cpuCores: 4, memoryBytes: 2n ** 34n, slots: 4 }),
    });
    const nothing = (): void => undefined;
    one.open({
      hello: () => hello,
      gpuReadings: () => [],
      onWelcome: nothing,
      endedBefore: () => [],
      onEndedNoted: nothing,
      onCommand: nothing,
      onNodeState: nothing,
      onOpenTunnel: nothing,
      onRenewalWanted: nothing,
      onUnlinked: nothing,
      onFenced: () => {
        fenced += 1;
      },
    });
    return one;
  });
}

function report(): AgentsReport {
  const up: Record<string, number> = {};
  for (const one of links) {
    for (const { address, up: isUp } of one.status()) if (isUp) up[address] = (up[address] ?? 0) + 1;
  }
  const made = { up, roundTripsMs, dials: [...dials], fenced };
  roundTripsMs = [];
  dials = new Map();
  return made;
}

process.on("message", (message: "report" | AgentsSettings) => {
  if (message !== "report") start(message);
  process.send?.(message === "report" ? report() : "started");
});
process.on("disconnect", () => process.exit());

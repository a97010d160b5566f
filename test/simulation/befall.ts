/** Brings an event of the schedule about. */
import type { FleetUnderTest } from "./fleet-under-test.ts";
import type { SimulatedEvent } from "./schedule.ts";
import type { TaskClient } from "./task-client.ts";

export function befall(event: SimulatedEvent, fleet: FleetUnderTest, client: TaskClient): void {
  const { network, streams, store } = fleet;
  const { world } = network;
  switch (event.kind) {
    case "create":
      client.create(event.call, event.at, event.behaviour);
      break;
    case "cancel":
      client.cancel(event.call, event.at);
      break;
    case "read":
      client.read(event.call, event.at);
      break;
    case "crash":
      fleet.crash(event.host, event.downMs);
      break;
    case "pause":
      fleet.processOf(event.host)?.pause(event.forMs);
      break;
    case "isolate":
      for (const coordinator of fleet.coordinators.keys()) cutOff(fleet, event.host, coordinator, event.forMs);
      break;
    case "partition": {
      const untilMs = world.nowMs + event.forMs;
      network.block(event.from, event.to, untilMs);
      if (event.both) network.block(event.to, event.from, untilMs);
      streams.starve(event.from, event.to, event.forMs);
      break;
    }
    case "slow":
      network.slow(event.from, event.to, { untilMs: world.nowMs + event.forMs, extraMs: event.extraMs });
      break;
    case "cut":
      streams.cut(event.from, event.to, () => event.noticeMs);
      break;
    case "strike":
      fleet.strikes.arm(event);
      break;
    case "compact":
      store.memory.compact();
      break;
    default:
      harmStore(event, fleet);
  }
}

function cutOff({ network, streams }: FleetUnderTest, one: string, other: string, forMs: number): void {
  const untilMs = network.world.nowMs + forMs;
  network.block(one, other, untilMs);
  network.block(other, one, untilMs);
  streams.starve(one, other, forMs);
}

type StoreEvent = Extract<
  SimulatedEvent,
  { readonly kind: "lose-responses" | "store-away" | "watches-stall" | "watches-break" | "leases-end" }
>;

/** As one coordinator sees it. */
function harmStore(event: StoreEvent, { coordinators, network: { world } }: FleetUnderTest): void {
  const faults = coordinators.get(event.host)?.faults;
  if (faults === undefined) return;
  switch (event.kind) {
    case "lose-responses":
      faults.losses.push(...event.losses);
      break;
    case "store-away":
      faults.awayUntilMs = world.nowMs + event.forMs;
      for (const watch of [...faults.watches]) watch.break();
      break;
    case "watches-stall":
      faults.watchesStallUntilMs = world.nowMs + event.forMs;
      break;
    case "watches-break":
      for (const watch of [...faults.watches]) watch.break();
      break;
    case "leases-end":
      for (const lease of [...faults.leases]) lease.expire();
  }
}

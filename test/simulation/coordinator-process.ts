/** A coordinator of the product's modules, without HTTP and gRPC, in a simulated process. */

import { ClockKeeper } from "@elastic/coordinator/clocks/clock-keeper.ts";
import { GuardedClock } from "@elastic/coordinator/clocks/guarded-clock.ts";
import { Contacts } from "@elastic/coordinator/contacts/contacts.ts";
import type { ClaimAtCreation } from "@elastic/coordinator/domain/claim-at-creation.ts";
import type { LinkCall } from "@elastic/coordinator/fleet/link.ts";
import { Links } from "@elastic/coordinator/fleet/links.ts";
import { nodeBounds } from "@elastic/coordinator/fleet/node-bounds.ts";
import { serveLinks } from "@elastic/coordinator/fleet/serve-links.ts";
import { Violations } from "@elastic/coordinator/fleet/violations.ts";
import type { Metrics } from "@elastic/coordinator/metrics/metrics.ts";
import { ProgressBoard } from "@elastic/coordinator/progress/progress-board.ts";
import { StartBoard } from "@elastic/coordinator/progress/start-board.ts";
import { startScheduler } from "@elastic/coordinator/scheduler/scheduler-loop.ts";
import { announce } from "@elastic/coordinator/store/coordinators.ts";
import type { Kv } from "@elastic/coordinator/store/kv.ts";
import { campaign } from "@elastic/coordinator/store/leadership.ts";
import { openStore } from "@elastic/coordinator/store/open/open-store.ts";
import type { Store } from "@elastic/coordinator/store/store.ts";
import type { Logger } from "@elastic/std/log.ts";
import { notSimulated } from "./not-simulated.ts";
import type { Process } from "./world.ts";

export interface CoordinatorParts {
  readonly process: Process;
  readonly kv: Kv;
  readonly metrics: Metrics;
  readonly log: Logger;
}

export interface SimulatedCoordinator {
  readonly process: Process;
  readonly store: Store;
  readonly claims: ClaimAtCreation;
  readonly clock: GuardedClock;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** By node: when its last message came, on this process's clock. */
  readonly links: Links;
  accept(call: LinkCall): void;
}

/** To be called in the context of its process. Rejects where the store does not respond. */
export async function startCoordinator({ process, kv, metrics, log }: CoordinatorParts): Promise<SimulatedCoordinator> {
  const clock = new GuardedClock(process.clock);
  const id = process.name;
  const store = await openStore({ kv, clock, log });
  const progress = new ProgressBoard();
  progress.follow(store.view.tasks);
  const starts = new StartBoard();
  starts.follow(store.view.assignments);
  const links = new Links(clock);
  const contacts = new Contacts({
    kv,
    id,
    links,
    leaderEpoch: () => leadership.epoch(),
    isCandidate: () => true,
    canCommand: true,
    clock,
    loops: metrics.loops,
    log,
  });
  const leadership = campaign({ kv, coordinatorId: id, clock, mayLead: () => contacts.mayLead(), log });
  contacts.start();
  const clocks = new ClockKeeper({ clock, log });
  const announcement = await announce({
    kv,
    facts: { id, grpcAddress: process.host, version: "0.0.0", roles: ["fleet", "scheduler"], startedAt: clock.now() },
    log,
  });
  const bounds = nodeBounds(clock);
  const shared = { store, links, contacts, leadership, clock, clocks, bounds, log, metrics };
  const server = serveLinks({
    ...shared,
    archive: { getMany: async () => [] },
    blobs: notSimulated("blobs"),
    logs: notSimulated("logs"),
    progress,
    starts,
    secrets: notSimulated("secrets"),
    registry: null,
    authority: null,
    coordinatorId: id,
    coordinators: { addresses: () => announcement.addresses() },
    logBytesMax: 0,
    shellEgress: [],
    violations: new Violations(shared),
  });
  server.start();
  const claims = startScheduler({ ...shared, links: contacts });
  return { process, store, claims, clock, metrics, log, links, accept: (call) => server.connect(call) };
}

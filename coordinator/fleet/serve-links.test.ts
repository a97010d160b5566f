/** A lost node is ready again only by another hello, so whoever has a link of it ends that. */
import { EventEmitter } from "node:events";
import { Hello } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lost, type Node } from "../domain/node.ts";
import { claim } from "../domain/task.ts";
import { aNewService, anAssignment, aTask, aWorkload } from "../domain/testing/records.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { create, replace } from "../store/change.ts";
import { type MemoryKv, memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import type { LinkCall } from "./link.ts";
import { Links } from "./links.ts";
import { nodeBounds } from "./node-bounds.ts";
import { DECLARED_LOST } from "./refusal.ts";
import { type LinkServer, type LinkServerOptions, serveLinks } from "./serve-links.ts";
import { Violations } from "./violations.ts";

const NODE = "node-a";
const log = createLog({ name: "test", level: "silent" });

let kv: MemoryKv;
let store: Store;
let stop: () => void = () => undefined;

beforeEach(async () => {
  kv = memoryKv();
  store = await openStore({ kv, clock: systemClock, log });
});
afterEach(async () => {
  stop();
  await store.close();
  await kv.close();
});

test("ends the link of a node that another coordinator, which leads, declares lost", async () => {
  const call = await linked(serve(store));
  await declareLost();
  await expect.poll(() => call.error).toBe(DECLARED_LOST);
});

test("ends a link whose hello found the node's record as it was before it was declared lost", async () => {
  await linked(serve(store));
  const before = await store.get("nodes", NODE);
  await declareLost();
  // What the hello reads; the view has the loss by then.
  const { epoch, blobStoreId, view } = store;
  const late = { epoch, blobStoreId, view, get: async () => before } as unknown as Store;
  const call = await linked(serve(late));
  await expect.poll(() => call.error).toBe(DECLARED_LOST);
});

test("removes no workload's record for a hello whose stream has ended", async () => {
  const assignment = anAssignment({ id: newId(1), serviceId: newId(2) }, NODE);
  await store.commit([create("assignments", assignment), create("workloads", aWorkload(assignment))]);
  let removed = 0;
  store.view.workloads.subscribe(({ after }) => {
    if (after === undefined) removed += 1;
  });
  const server = serve(store);
  greet(server).emit("cancelled");
  const phase = WorkloadPhase.WORKLOAD_PHASE_READY;
  await linked(server, { workloads: [{ assignmentId: assignment.id, phase, failure: undefined }] });
  expect(removed).toBe(0);
});

test("takes no attempt of a newer agent for lost because of a link of the agent before", async () => {
  await linked(serve(store));
  const read = await store.get("nodes", NODE);
  if (read === null) throw new Error("there is no node");
  await store.commit([replace("nodes", read, { ...read.value, sessionId: "session-2" })]);
  const task = aTask({ id: newId(2) }, { createdAt: Date.now() });
  const on = { nodeId: NODE, sessionId: "session-2", assignmentId: newId(1) };
  await store.commit([create("tasks", claim(task, on, Date.now()))]);
  // Later than what the task's appearance would lead to.
  await store.commit([create("services", aNewService())]);
  expect((await store.get("tasks", task.id))?.value.phase.kind).toBe("running");
});

/** Of a coordinator that does not lead. */
function serve(of: Store): LinkServer {
  stop();
  const unused = {} as never;
  const metrics = createMetrics();
  const bounds = nodeBounds(systemClock);
  const server = serveLinks({
    store: of,
    archive: null,
    leadership: { epoch: () => null, subscribe: () => () => undefined },
    blobs: unused,
    logs: unused,
    progress: unused,
    starts: { set: () => undefined },
    secrets: unused,
    registry: null,
    links: new Links(systemClock),
    contacts: { commandingEpoch: () => null, onRelayed: () => () => undefined },
    clocks: { noteNode: () => undefined },
    clock: systemClock,
    log,
    metrics,
    violations: new Violations({ store: of, bounds, clock: systemClock, log, metrics }),
    bounds,
    coordinatorId: "c1",
    logBytesMax: 0,
    shellEgress: [],
    authority: null,
    coordinators: { addresses: () => [] },
  } satisfies LinkServerOptions);
  stop = server.start();
  return server;
}

/** A call of the node whose hello was answered. */
async function linked(server: LinkServer, given: Partial<Hello> = {}): Promise<Call> {
  const call = greet(server, given);
  await expect.poll(() => call.written).toBeGreaterThan(0);
  return call;
}

function greet(server: LinkServer, given: Partial<Hello> = {}): Call {
  const call = new Call();
  server.connect(call as unknown as LinkCall);
  const inventory = Inventory.fromPartial({ hostname: "host", cpuCores: 4, memoryBytes: 2n ** 34n, slots: 4 });
  const hello = Hello.fromPartial({ nodeId: NODE, protocolVersion: 1, sessionId: "session-1" });
  call.emit("data", { message: { $case: "hello", value: { ...hello, inventory, ...given } } });
  return call;
}

async function declareLost(): Promise<void> {
  const read = await store.get("nodes", NODE);
  if (read === null) throw new Error("there is no node");
  await store.commit([replace("nodes", read, lost(read.value as Node, Date.now()))]);
}

class Call extends EventEmitter {
  readonly writableLength = 0;
  written = 0;
  error: unknown = null;

  constructor() {
    super();
    this.on("error", (error) => {
      this.error = error;
    });
  }

  getAuthContext(): object {
    const subjectaltname = `URI:elastic://node/${NODE}`;
    return { sslPeerCertificate: { subjectaltname, valid_to: "Jan  1 00:00:00 2040 GMT" } };
  }

  write(): boolean {
    this.written += 1;
    return true;
  }

  pause(): void {}
  resume(): void {}
  end(): void {}
}

import { expect, test } from "vitest";
import { whyItWaits } from "./service-outlook.ts";
import type { Nowhere } from "./suitable-node.ts";
import { aDeployment, anAssignment, aWorkload } from "./testing/records.ts";

const deployment = aDeployment({ serviceId: "service" });
const workload = aWorkload(anAssignment(deployment, "a"));
const failure = { step: null, reason: "gpu_fault", message: "Xid 79", exitCode: null, logTail: "" } as const;
const failed = aWorkload(anAssignment(deployment, "a"), { phase: "failed", failure });
const starting = aWorkload(anAssignment(deployment, "a"), { phase: "starting" });
const nowhere: Nowhere = { reason: "no_such_gpu", message: "no machine has that GPU" };

const surroundings = (
  workloads: Parameters<typeof whyItWaits>[1]["workloads"],
  { upNodes = ["a"], why = null }: { readonly upNodes?: readonly string[]; readonly why?: Nowhere | null } = {},
) => ({ workloads, isUp: (nodeId: string) => upNodes.includes(nodeId), whyNowhere: () => why });

test("is busy where a workload is ready on a node that is up, whatever the others are at", () => {
  expect(whyItWaits(deployment, surroundings([failed, workload], { why: nowhere })).reason).toBe("busy");
  expect(whyItWaits(deployment, surroundings([workload], { upNodes: [] })).reason).toBe("no_room");
});

test("says that no machine could ever run it before anything about its starts", () => {
  expect(whyItWaits(deployment, surroundings([failed, undefined], { why: nowhere }))).toEqual(nowhere);
});

test("quotes the failure of a start before it counts another one that is coming up", () => {
  expect(whyItWaits(deployment, surroundings([starting, failed]))).toEqual({
    reason: "start_failed",
    message: "the last start failed and is tried again: Xid 79",
  });
});

test("is starting where a workload is coming up on a node that is up, or is not reported yet", () => {
  expect(whyItWaits(deployment, surroundings([starting])).reason).toBe("starting");
  expect(whyItWaits(deployment, surroundings([undefined])).reason).toBe("starting");
  expect(whyItWaits(deployment, surroundings([starting], { upNodes: [] })).reason).toBe("no_room");
  expect(whyItWaits(deployment, surroundings([])).reason).toBe("no_room");
});

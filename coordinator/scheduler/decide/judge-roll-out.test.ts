import { expect, test } from "vitest";
import type { Workload, WorkloadFailure } from "../../domain/assignment.ts";
import type { FailureReason } from "../../domain/failure.ts";
import { deploy } from "../../domain/service.ts";
import { aDeployment, aNewService, aNode, anAssignment, aWorkload } from "../../domain/testing/records.ts";
import { viewOf } from "../testing/view-of.ts";
import { judgeRollOut, type Verdict } from "./judge-roll-out.ts";
import { afterStartFailure, type StartFailures } from "./start-failures.ts";

const bare = aNewService();
const next = aDeployment({ serviceId: bare.id });
const service = deploy(bare, next.id);
const assignment = anAssignment(next, "node-a");

function failure(reason: FailureReason): WorkloadFailure {
  return { step: "checking", reason, message: `it was ${reason}`, exitCode: null, logTail: "" };
}

function judge(workload: Partial<Workload> | null, failures: StartFailures | null = null, nowMs = 0): Verdict | null {
  const view = viewOf({
    services: [service],
    deployments: [next],
    nodes: [aNode("node-a")],
    assignments: workload === null ? [] : [assignment],
    workloads: workload === null ? [] : [aWorkload(assignment, workload)],
  });
  const entry = view.services.get(service.id);
  if (entry === undefined) throw new Error("the service is in the view");
  return judgeRollOut(entry, next, failures, nowMs);
}

function failedTimes(count: number, reason: FailureReason): StartFailures | null {
  let failures: StartFailures | null = null;
  for (let n = 0; n < count; n++) failures = afterStartFailure(failures, failure(reason), `node-${n}`, 0);
  return failures;
}

test("the first workload that is ready makes the deployment current", () => {
  expect(judge({ phase: "ready" })).toEqual({ kind: "rolled_out" });
});

test.each(["pulling", "starting"] as const)("a workload that is %s decides nothing", (phase) => {
  expect(judge({ phase }, null, 1e9)).toBeNull();
});

test.each(["image_unavailable", "start_timeout", "prover_error", "out_of_memory"] as const)(
  "a first start that fails with %s fails the deployment with the reason",
  (reason) => {
    expect(judge({ phase: "failed", failure: failure(reason) }, failedTimes(1, reason))).toEqual({
      kind: "failed",
      failure: failure(reason),
    });
  },
);

test.each(["node_disk_full", "gpu_fault", "internal"] as const)(
  "a start that fails with %s is tried on two other nodes before the deployment fails",
  (reason) => {
    expect(judge({ phase: "failed", failure: failure(reason) }, failedTimes(1, reason))).toBeNull();
    expect(judge({ phase: "failed", failure: failure(reason) }, failedTimes(2, reason))).toBeNull();
    expect(judge({ phase: "failed", failure: failure(reason) }, failedTimes(3, reason))).toMatchObject({
      failure: { reason },
    });
  },
);

test("a deployment that no node has room for fails when its start budget is over", () => {
  expect(judge(null, null, next.limits.budgets.startMs)).toBeNull();
  expect(judge(null, null, next.limits.budgets.startMs + 1)).toMatchObject({
    kind: "failed",
    failure: {
      step: "placing",
      reason: "start_timeout",
      message: "no node had room within 60 s for the builtin prover echo, 1 CPU, 256 MiB of memory",
    },
  });
});

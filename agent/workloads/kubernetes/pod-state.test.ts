import { expect, test } from "vitest";
import type { Pod } from "./pod.ts";
import { stateOf } from "./pod-state.ts";

const NOW_MS = Date.parse("2026-11-26T12:00:00Z");
const SCHEDULED = { type: "PodScheduled", status: "True", lastTransitionTime: "2026-11-26T11:59:50Z" };

type Status = NonNullable<Pod["status"]>;
type State = NonNullable<NonNullable<Status["containerStatuses"]>[number]["state"]>;

const stateWith = (status: Status, metadata: Partial<Pod["metadata"]> = {}) =>
  stateOf({ metadata: { name: "p", ...metadata }, status }, NOW_MS);
const withContainer = (state: State, more: Status = {}) =>
  stateWith({ phase: "Pending", conditions: [SCHEDULED], containerStatuses: [{ state }], ...more });

test("says since when a Pod has had no node, and why", () => {
  const message = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.";
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
  const state = stateWith({
    phase: "Pending",
    conditions: [{ ...condition, lastTransitionTime: "2026-11-26T11:59:00Z" }],
  });
  expect(state).toEqual({ kind: "waiting", step: "scheduling", why: message, sinceMs: NOW_MS - 60_000 });
  const untimed = { phase: "Pending", conditions: [{ ...condition, lastTransitionTime: null }] };
  expect(stateWith(untimed)).toMatchObject({ kind: "waiting", sinceMs: null });
  expect(stateWith({ phase: "Pending" })).toMatchObject({ kind: "waiting", step: "scheduling", sinceMs: null });
});

test("can be reached only once its container runs and it has an address", () => {
  expect(withContainer({ waiting: { reason: "ContainerCreating" } })).toMatchObject({
    kind: "waiting",
    step: "pulling",
  });
  expect(withContainer({ running: {} })).toMatchObject({ kind: "waiting" });
  expect(withContainer({ running: {} }, { phase: "Running", podIP: "10.0.0.7" })).toEqual({
    kind: "running",
    ip: "10.0.0.7",
  });
});

test.each([
  ["ErrImagePull", "image_unavailable"],
  ["ImagePullBackOff", "image_unavailable"],
  ["InvalidImageName", "image_unavailable"],
  ["CreateContainerError", "prover_error"],
  ["CreateContainerConfigError", "prover_error"],
])("refuses a start at %s as %s, in the cluster's words", (reason, expected) => {
  expect(withContainer({ waiting: { reason, message: "no such thing" } })).toEqual({
    kind: "refused",
    reason: expected,
    message: `the cluster cannot start the container (${reason}): no such thing`,
  });
});

test("reads an exit code, the signal in it, and a kill for memory, as the prover's doing", () => {
  const ended = (exitCode: number, reason: string) => {
    const state = withContainer({ terminated: { exitCode, reason } }, { phase: "Failed" });
    if (state.kind !== "ended") throw new Error(state.kind);
    return state.end;
  };
  expect(ended(3, "Error")).toMatchObject({ exitCode: 3, signal: null, outOfMemory: false });
  expect(ended(139, "Error")).toMatchObject({ exitCode: 139, signal: "SIGSEGV" });
  expect(ended(137, "OOMKilled")).toMatchObject({ exitCode: 137, signal: "SIGKILL", outOfMemory: true });
  for (const end of [ended(3, "Error"), ended(137, "OOMKilled")]) expect(end).not.toHaveProperty("lostBy");
});

test.each([
  "Evicted",
  "NodeLost",
  "NodeShutdown",
  "DeadlineExceeded",
  "Preempting",
  "OutOfcpu",
  "UnexpectedAdmissionError",
])("takes a Pod that failed as %s for the cluster's doing", (reason) => {
  const state = stateWith({ phase: "Failed", reason, message: "the node was low on memory" });
  expect(state).toMatchObject({ kind: "ended", end: { lostBy: expect.stringContaining(reason), outOfMemory: false } });
});

test("takes an eviction for what the prover wrote for the prover's doing", () => {
  const message = 'Usage of EmptyDir volume "tmp" exceeds the limit "16Mi".';
  const state = stateWith({ phase: "Failed", reason: "Evicted", message });
  expect(state.kind).toBe("ended");
  expect(state).not.toHaveProperty("end.lostBy");
});

test("takes a Pod whose node does not confirm its end for lost, and not before", () => {
  const running: Status = { phase: "Running", podIP: "10.0.0.7", containerStatuses: [{ state: { running: {} } }] };
  const at = (deletionTimestamp: string, more: Status = {}) =>
    stateWith({ ...running, ...more }, { deletionTimestamp });
  expect(at("2026-11-26T11:59:50Z")).toMatchObject({ kind: "running" });
  expect(at("2026-11-26T11:59:20Z")).toMatchObject({ kind: "ended", end: { lostBy: "the prover's Pod was deleted" } });
  const condition = { type: "DisruptionTarget", status: "True", reason: "DeletionByTaintManager" };
  expect(at("2026-11-26T12:00:00Z", { conditions: [condition] })).toMatchObject({
    kind: "ended",
    end: { lostBy: expect.stringContaining("DeletionByTaintManager") },
  });
  expect(stateWith({ phase: "Unknown" })).toMatchObject({ kind: "ended", end: { lostBy: expect.any(String) } });
});

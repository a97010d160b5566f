import { describe, expect, test } from "vitest";
import { drain } from "../../domain/node-drain.ts";
import {
  comingUp,
  deleted,
  erased,
  placed,
  ready,
  SHELL_USE_WRITTEN_EVERY_MS,
  type Shell,
  stopped,
} from "../../domain/shell.ts";
import {
  aGpu,
  aNode,
  anAssignment,
  aReadyService,
  aShell,
  aShellAssignment,
  aWorkload,
} from "../../domain/testing/records.ts";
import { type Records, viewOf } from "../testing/view-of.ts";
import { decideShell, type ShellStep } from "./decide-shell.ts";

const ENGINE = { name: "docker", version: "20" };
const HOUR = 3_600_000;

/** What is decided of the one shell. */
function decide(shell: Shell, records: Records, now = 1): ShellStep | null {
  const view = viewOf({ ...records, shells: [shell] });
  const [entry] = view.shells.takeDirty();
  if (entry === undefined) throw new Error("nothing to look at");
  return decideShell(view, entry, now);
}

const node = (id: string, given: Parameters<typeof aNode>[1] = {}) => aNode(id, { engine: ENGINE, ...given });

describe("a shell that is created", () => {
  test("gets the node with the GPU that it requests", () => {
    const shell = aShell({ resources: { ...aShell().resources, gpuCount: 1, gpuModel: "H100" } });
    const nodes = [node("a"), node("b", { gpus: [aGpu("g1")], slots: 1 })];
    expect(decide(shell, { nodes })).toEqual({
      kind: "assign",
      purpose: "run",
      to: { nodeId: "b", gpuUuids: ["g1"] },
    });
  });

  test("gets no GPU that another shell has, and says what it waits for", () => {
    const wish = { resources: { ...aShell().resources, gpuCount: 1 } };
    const held = aShellAssignment({ id: "other" }, "b", { gpuUuids: ["g1"] });
    const nodes = [node("b", { gpus: [aGpu("g1")], slots: 2 })];
    expect(decide(aShell({ ...wish, id: "waiting" }), { nodes, assignments: [held] })).toMatchObject({
      kind: "coming_up",
      waitingFor: expect.stringMatching(/^a node with room for .*1 GPU of any model/),
    });
  });

  test("gets a node whose prover leaves it memory, and waits where one does not", () => {
    const { service, deployment } = aReadyService();
    const provers = {
      services: [service],
      deployments: [deployment],
      assignments: [anAssignment(deployment, "a")],
    };
    const roomy = node("a", { slots: 2 });
    expect(decide(aShell(), { ...provers, nodes: [roomy] })).toMatchObject({ kind: "assign", to: { nodeId: "a" } });
    const full = node("a", { slots: 2, memoryBytes: deployment.resources.memoryBytes + 1 });
    expect(decide(aShell(), { ...provers, nodes: [full] })).toMatchObject({ kind: "coming_up" });
  });

  test("goes to no node that cannot have shells, and fails when none came in time", () => {
    const nodes = [node("a", { shells: false })];
    const waits = decide(aShell(), { nodes });
    expect(waits).toMatchObject({
      kind: "coming_up",
      waitingFor: expect.stringContaining("a machine that can have shells: `elastic-agent doctor`"),
    });
    const waiting = comingUp(aShell(), waits?.kind === "coming_up" ? waits.waitingFor : "", 0);
    expect(decide(waiting, { nodes })).toBeNull();
    expect(decide(waiting, { nodes }, 600_001)).toMatchObject({ kind: "fail", reason: "start_timeout" });
  });

  test("says at once what no machine has", () => {
    const wish = { resources: { ...aShell().resources, gpuCount: 1, gpuModel: "H1000" } };
    const nodes = [node("a", { gpus: [aGpu("g1")] }), node("b", { shells: false })];
    expect(decide(aShell(wish), { nodes })).toMatchObject({
      waitingFor: "another machine: no machine of the fleet has 1 GPU of H1000; there are NVIDIA H100 80GB HBM3",
    });
  });

  test("says that the machine which has what is requested cannot have shells, rather than that there is none", () => {
    const wish = { resources: { ...aShell().resources, gpuCount: 1 } };
    const nodes = [node("a"), node("b", { gpus: [aGpu("g1")], slots: 2, shells: false })];
    expect(decide(aShell(wish), { nodes })).toMatchObject({
      waitingFor: expect.stringMatching(
        /^a machine that can have shells, with .*1 GPU of any model.*: those that have it cannot, `elastic-agent doctor`/,
      ),
    });
  });

  test("is ready when its workload is, and failed with the reason of its node", () => {
    const shell = placed(aShell(), "a");
    const place = aShellAssignment(shell, "a");
    const records = { nodes: [node("a")], assignments: [place] };
    expect(decide(shell, records)).toBeNull();
    expect(decide(shell, { ...records, workloads: [aWorkload(place)] })).toEqual({ kind: "ready" });
    const failure = { step: null, reason: "image_unavailable", message: "no", exitCode: null, logTail: "" } as const;
    expect(decide(shell, { ...records, workloads: [aWorkload(place, { phase: "failed", failure })] })).toEqual({
      kind: "fail",
      reason: "image_unavailable",
      message: "no",
    });
  });
});

describe("a shell with a home", () => {
  const shell = placed(aShell(), "a");

  test("starts on its node and on no other, and says when that is away, or has full disks", () => {
    expect(decide(shell, { nodes: [node("a", { slots: 1 }), node("b")] })).toMatchObject({ to: { nodeId: "a" } });
    const away = decide(shell, { nodes: [node("a"), node("b")], unlinked: ["a"] }, 2 * HOUR);
    expect(away).toEqual({ kind: "coming_up", waitingFor: "node a, where its home is: it is away" });
    const full = decide(shell, { nodes: [node("a", { diskPressure: "its disk is full" }), node("b")] });
    expect(full).toEqual({ kind: "coming_up", waitingFor: "node a, where its home is: its disk is full" });
  });

  test("that was ready says that its node is lost, and fails once the node is gone", () => {
    const up = ready(shell, 0);
    const place = aShellAssignment(shell, "a");
    const lost = {
      nodes: [node("a", { node: { state: "lost" } })],
      assignments: [place],
      workloads: [aWorkload(place)],
    };
    expect(decide(up, lost)).toMatchObject({ kind: "coming_up", waitingFor: expect.stringContaining("away") });
    expect(decide(up, { nodes: [node("a", { node: { state: "gone" } })] })).toMatchObject({ reason: "node_lost" });
  });
});

describe("a run", () => {
  test("ends by the clock: after its longest life, or unused", () => {
    const shell = ready(placed(aShell({ longestLifeMs: HOUR, idleStopMs: HOUR / 2 }), "a"), 0);
    const place = aShellAssignment(shell, "a");
    const records = { nodes: [node("a")], assignments: [place], workloads: [aWorkload(place)] };
    expect(decide(shell, records, HOUR / 2)).toBeNull();
    expect(decide(shell, records, HOUR / 2 + SHELL_USE_WRITTEN_EVERY_MS)).toEqual({ kind: "stop", cause: "idle" });
    expect(decide({ ...shell, usedAt: HOUR - 1 }, records, HOUR)).toEqual({ kind: "stop", cause: "expired" });
  });

  test("continues while its node drains, unless shells are to be stopped there", () => {
    const shell = ready(placed(aShell(), "a"), 0);
    const place = aShellAssignment(shell, "a");
    const on = (stopShells: boolean) => ({
      nodes: [drain(node("a"), { askedAt: 0, userId: null, stopShells })],
      assignments: [place],
      workloads: [aWorkload(place)],
    });
    expect(decide(shell, on(false))).toBeNull();
    expect(decide(shell, on(true))).toEqual({ kind: "stop", cause: "drain" });
    // One without a place holds nothing there, and waits.
    const waits = { ...on(true), assignments: [], workloads: [] };
    expect(decide(shell, waits)).toMatchObject({ waitingFor: expect.stringContaining("takes nothing new") });
  });

  test("that ended lets its place go", () => {
    const shell = stopped(placed(aShell(), "a"), "user", 0);
    const step = decide(shell, { nodes: [node("a")], assignments: [aShellAssignment(shell, "a")] });
    expect(step).toMatchObject({ kind: "remove" });
    expect(decide(shell, { nodes: [node("a")] })).toBeNull();
  });
});

describe("a shell that is deleted", () => {
  const shell = deleted(placed(aShell(), "a"), 0);
  const nodes = [node("a")];

  test("lets its place go first, then has its home erased", () => {
    expect(decide(shell, { nodes, assignments: [aShellAssignment(shell, "a")] })).toMatchObject({ kind: "remove" });
    expect(decide(shell, { nodes })).toMatchObject({ kind: "assign", purpose: "erase", to: { nodeId: "a" } });
    const eraser = aShellAssignment(shell, "a", { workload: { kind: "shell", shellId: shell.id, purpose: "erase" } });
    expect(decide(shell, { nodes, assignments: [eraser] })).toBeNull();
    expect(decide(shell, { nodes, assignments: [eraser], workloads: [aWorkload(eraser)] })).toMatchObject({
      kind: "erased",
    });
    expect(decide(erased(shell), { nodes })).toBeNull();
  });

  test("has nothing to erase where its node is gone, or where it never had one", () => {
    expect(decide(shell, { nodes: [] })).toEqual({ kind: "erased", place: null });
    expect(decide(deleted(aShell(), 0), { nodes })).toBeNull();
  });
});

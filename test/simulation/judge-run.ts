/** Judges a run when it is over, by what clients saw, what was stored and what really ran. */
import { type Assignment, holdsRoom, type Workload } from "@elastic/coordinator/domain/assignment.ts";
import type { Node } from "@elastic/coordinator/domain/node.ts";
import { INFRASTRUCTURE_ATTEMPTS_MAX, NODE_LOSSES_MAX } from "@elastic/coordinator/domain/retry.ts";
import { isTerminal, type Task } from "@elastic/coordinator/domain/task.ts";
import { violations } from "../cluster/checker/check-history.ts";
import type { Behaviour } from "./attempt-input.ts";
import type { FleetUnderTest } from "./fleet-under-test.ts";
import type { Schedule } from "./schedule.ts";
import type { RecordWrite } from "./store-machine.ts";
import type { TaskClient } from "./task-client.ts";
import type { Watcher } from "./watcher.ts";

export interface RunParts {
  readonly fleet: FleetUnderTest;
  readonly client: TaskClient;
  readonly watcher: Watcher;
  readonly schedule: Schedule;
  readonly uncaught: readonly string[];
}

type Check = (parts: RunParts) => readonly string[];

export function judgeRun(parts: RunParts): readonly string[] {
  return CHECKS.flatMap((check) => check(parts));
}

const histories: Check = ({ client, fleet }) =>
  violations({
    client: client.history,
    store: writesOf(fleet, "tasks").map(({ write, value }) => ({
      taskId: write.id,
      revision: write.revision,
      task: value as Task | null,
    })),
  });

const acknowledgedTasksAreFound: Check = ({ client }) =>
  client.missing.map((id) => `task ${id} was acknowledged and is not found`);

/** Also of those whose creation no client saw acknowledged. */
const allTasksEnd: Check = ({ fleet }) => {
  const last = new Map(writesOf(fleet, "tasks").map(({ write, value }) => [write.id, value as Task | null]));
  return [...last].flatMap(([id, task]) =>
    task === null || isTerminal(task.phase) ? [] : [`task ${id} is still ${task.phase.kind} long after the last fault`],
  );
};

/** Calls from this number on create a task at each coordinator after all was healed. */
export const PROBES_FROM = 1_000_000;

/** Every coordinator serves again, and what it accepts succeeds. */
const allCoordinatorsServe: Check = ({ client, schedule }) =>
  schedule.fleet.coordinators.flatMap((host, index) => {
    const id = client.created.get(PROBES_FROM + index);
    if (id === undefined) return [`${host} accepts no task long after the last fault`];
    const phases = client.history.flatMap((event) =>
      event.kind === "seen" && event.taskId === id ? [event.phase] : [],
    );
    return phases.includes("succeeded")
      ? []
      : [`a task that ${host} accepted after the last fault ended as ${phases.at(-1)}`];
  });

/** Nothing keeps a node from its work once nothing is broken. */
const allNodesReturn: Check = ({ fleet, schedule }) => {
  const last = new Map(writesOf(fleet, "nodes").map(({ write, value }) => [write.id, value as Node | null]));
  return schedule.fleet.agents.flatMap((id) => {
    const state = last.get(id)?.state;
    return state === "ready" ? [] : [`node ${id} is ${state ?? "unknown"} long after the last fault`];
  });
};

/** What an agent abandoned another may have by now. The same attempt may be started again, where it is still current. */
const fencedExecutionsCommitNothing: Check = ({ fleet }) => {
  const before = new Map<string, RecordWrite>();
  return writesOf(fleet, "tasks").flatMap(({ write, value }) => {
    const claim = before.get(write.id);
    before.set(write.id, write);
    const { phase } = (value as Task | null) ?? {};
    if (phase?.kind !== "succeeded" || claim === undefined) return [];
    const executions = fleet.ledger.executions.filter(
      ({ revision, endedAtMs }) => revision === claim.revision && endedAtMs !== null && endedAtMs <= write.atMs,
    );
    return executions.every(({ fencedAtMs }) => fencedAtMs !== null)
      ? [`task ${write.id} succeeded by no execution that its agent had not abandoned`]
      : [];
  });
};

/** What only a leader decides is compared with its term, and written by the one that has it. */
const onlyTheLeaderDecides: Check = ({ fleet }) =>
  fleet.store.writes.flatMap((write) => {
    if (write.by === null || write.by.host === "store" || !isOfLeader(write)) return [];
    if (write.epoch === null) return [`${write.kind} ${write.id} was decided at ${write.revision} without a term`];
    // A new task may be claimed by the leader's process for its own client.
    return write.by.name === write.leader
      ? []
      : [`${write.by.name} decided on ${write.kind} ${write.id} at ${write.revision} while ${write.leader} led`];
  });

function isOfLeader({ kind, value }: RecordWrite): boolean {
  if (kind === "assignments") return value !== null;
  if (kind === "nodes") return (value as Node | null)?.state === "lost";
  return kind === "tasks" && (value as Task | null)?.phase.kind === "running";
}

/** A decision whose commit loses its response is written so much later at most. */
const DECIDED_WITHIN_MS = 10_000;

/** Of each node its slots, of each workload its concurrency. */
const nothingIsOverfull: Check = ({ fleet, schedule }) => {
  const { slots, concurrency } = schedule.fleet;
  const assignments = new Map<string, Assignment>();
  const failedAtMs = new Map<string, number>();
  const running = new Map<string, string>();
  const found = new Set<string>();
  // What leaves in a transaction makes room for what comes with it.
  const writes = [...fleet.store.writes].sort(
    (a, b) => a.revision - b.revision || Number(a.value !== null) - Number(b.value !== null),
  );
  for (const { kind, id, value, atMs } of writes) {
    if (kind === "assignments") {
      if (value === null) assignments.delete(id);
      else assignments.set(id, value as Assignment);
      const { nodeId } = (value as Assignment | null) ?? {};
      // One that failed lately holds no room, though its agent may have brought it up since the leader decided.
      const hasFailed = (one: Assignment) => atMs - (failedAtMs.get(one.id) ?? -DECIDED_WITHIN_MS) < DECIDED_WITHIN_MS;
      const held = [...assignments.values()].filter((one) => one.nodeId === nodeId && !hasFailed(one));
      const used = held.reduce((sum, one) => sum + one.slots, 0);
      if (value !== null && used > slots) found.add(`node ${nodeId} has workloads for ${used} slots and has ${slots}`);
    } else if (kind === "workloads") {
      if (value !== null && !holdsRoom(value as Workload)) failedAtMs.set(id, atMs);
    } else if (kind === "tasks") {
      const { phase } = (value as Task | null) ?? {};
      if (phase?.kind !== "running") running.delete(id);
      else {
        running.set(id, phase.assignmentId);
        const busy = [...running.values()].filter((assignmentId) => assignmentId === phase.assignmentId).length;
        if (busy > concurrency) found.add(`workload ${phase.assignmentId} has ${busy} tasks and takes ${concurrency}`);
      }
    }
  }
  return [...found];
};

const attemptsAreBounded: Check = ({ fleet }) => {
  const most = INFRASTRUCTURE_ATTEMPTS_MAX + NODE_LOSSES_MAX;
  return writesOf(fleet, "tasks").flatMap(({ write, value }) => {
    const started = (value as Task | null)?.attempts.started ?? 0;
    return started > most ? [`task ${write.id} was started ${started} times; at most ${most} are allowed`] : [];
  });
};

/** A result is what the prover returned for just this input. */
const resultsAreOfTheirInputs: Check = ({ client }) => {
  const outputs = new Map<string, string>();
  for (const event of client.history) {
    if (event.kind !== "created") continue;
    const begun = client.history.find((other) => other.kind === "create-begun" && other.call === event.call);
    if (begun?.kind === "create-begun") outputs.set(event.taskId, (JSON.parse(begun.input) as Behaviour).output);
  }
  return client.history.flatMap((event) =>
    event.kind !== "seen" || event.result === null || event.result === outputs.get(event.taskId)
      ? []
      : [`task ${event.taskId} was seen with the result ${event.result} of another input`],
  );
};

const CHECKS: readonly Check[] = [
  ({ uncaught }) => uncaught,
  ({ watcher }) => watcher.found,
  histories,
  acknowledgedTasksAreFound,
  allTasksEnd,
  allNodesReturn,
  allCoordinatorsServe,
  fencedExecutionsCommitNothing,
  onlyTheLeaderDecides,
  nothingIsOverfull,
  attemptsAreBounded,
  resultsAreOfTheirInputs,
];

function writesOf({ store }: FleetUnderTest, kind: RecordWrite["kind"]) {
  return store.writes.flatMap((write) => (write.kind === kind ? [{ write, value: write.value }] : []));
}

/**
 * Judges a run by its two histories: what clients saw, and every write of a task's record. Pure; each promise is
 * one function, and what breaks it comes back as a sentence.
 */
import { isTerminal, type Task } from "@elastic/coordinator/domain/task.ts";
import type { ClientEvent } from "./client-history.ts";
import type { StoreEvent } from "./store-history.ts";

export interface History {
  readonly client: readonly ClientEvent[];
  /** In the order of revisions. */
  readonly store: readonly StoreEvent[];
}

type Check = (history: History) => readonly string[];

/** Everything that the histories show to be broken; empty when no guarantee was broken. */
export function violations(history: History): readonly string[] {
  return CHECKS.flatMap((check) => check(history));
}

/** An acknowledged task is never lost, and has ended when the run is over. */
const acknowledgedTasksEnd: Check = ({ client, store }) => {
  const last = new Map(store.map((event) => [event.taskId, event.task]));
  return created(client).flatMap((taskId) => {
    const task = last.get(taskId);
    if (task === undefined) return [`task ${taskId} was acknowledged and never stored`];
    if (task === null) return [`task ${taskId} was acknowledged and is gone`];
    return isTerminal(task.phase) ? [] : [`task ${taskId} was acknowledged and is still ${task.phase.kind}`];
  });
};

/** No task exists that nobody created, and no two creates were acknowledged with the same one. */
const tasksAreAskedFor: Check = ({ client, store }) => {
  const acknowledged = created(client);
  const distinct = new Set(acknowledged);
  const stored = new Set(store.map(({ taskId }) => taskId));
  const unexplained = [...stored].filter((taskId) => !distinct.has(taskId));
  const unknown = client.filter(({ kind }) => kind === "create-unknown").length;
  return [
    ...(distinct.size === acknowledged.length ? [] : ["two creates were acknowledged with the same task"]),
    ...(unexplained.length <= unknown
      ? []
      : [`${unexplained.length} tasks were not acknowledged to anybody, and only ${unknown} responses were lost`]),
  ];
};

/** A task ends once: after its end its record is never written again. */
const endsAbsorb: Check = ({ store }) =>
  perTask(store).flatMap(([taskId, events]) => {
    const end = events.findIndex(({ task }) => task !== null && isTerminal(task.phase));
    const after = end < 0 ? [] : events.slice(end + 1).filter(({ task }) => task !== null);
    return after.map(
      ({ revision, task }) => `task ${taskId} had ended and was written as ${task?.phase.kind} at ${revision}`,
    );
  });

const NEXT: Readonly<Record<Task["phase"]["kind"], readonly Task["phase"]["kind"][]>> = {
  queued: ["running", "failed", "cancelled", "timed_out", "expired"],
  running: ["queued", "succeeded", "failed", "cancelled", "timed_out"],
  succeeded: [],
  failed: [],
  cancelled: [],
  timed_out: [],
  expired: [],
};

/** Tasks begin queued, or at once with their first attempt, and move only along the edges of the state machine. */
const edgesAreLegal: Check = ({ store }) =>
  perTask(store).flatMap(([taskId, events]) =>
    events.flatMap(({ task, revision }, index) => {
      if (task === null) return [];
      const before = events[index - 1]?.task?.phase.kind;
      if (before === undefined) {
        return isTerminal(task.phase) ? [`task ${taskId} began as ${task.phase.kind}`] : [];
      }
      return NEXT[before].includes(task.phase.kind)
        ? []
        : [`task ${taskId} went from ${before} to ${task.phase.kind} at ${revision}`];
    }),
  );

/** Tokens increase: each claim starts the next attempt, and success is that of the newest claim. */
const tokensIncrease: Check = ({ store }) =>
  perTask(store).flatMap(([taskId, events]) => {
    const found: string[] = [];
    let attempt = 0;
    let revisionBefore = 0;
    for (const { task, revision } of events) {
      if (revision <= revisionBefore) found.push(`task ${taskId} was written at ${revision} after ${revisionBefore}`);
      revisionBefore = revision;
      if (task?.phase.kind === "running") {
        if (task.phase.attempt !== attempt + 1) {
          found.push(`task ${taskId} started attempt ${task.phase.attempt} after attempt ${attempt}`);
        }
        attempt = task.phase.attempt;
      } else if (task?.phase.kind === "succeeded" && task.phase.attempt !== attempt) {
        found.push(`task ${taskId} succeeded with attempt ${task.phase.attempt} while ${attempt} was current`);
      }
    }
    return found;
  });

/** A result is there if and only if the task is a SUCCESS, and times are there only once it has ended. */
const resultMeansSuccess: Check = ({ client }) =>
  seen(client).flatMap(({ taskId, state, result, started, finished }) => [
    ...((result !== null) === (state === "SUCCESS")
      ? []
      : [`task ${taskId} was seen as ${state} with result ${result}`]),
    ...(state !== "PENDING" || (started === null && finished === null)
      ? []
      : [`task ${taskId} was seen PENDING with a time of start or end`]),
  ]);

/** What a client has seen does not change back: an end stays as it is, result and all. */
const readsNeverGoBack: Check = ({ client }) => {
  const ends = new Map<string, string>();
  return seen(client).flatMap(({ taskId, state, phase, result, finished }) => {
    const before = ends.get(taskId);
    const now = JSON.stringify([state, phase, result, finished]);
    if (state !== "PENDING") ends.set(taskId, now);
    return before === undefined || before === now ? [] : [`task ${taskId} was seen as ${before} and later as ${now}`];
  });
};

/** created ≤ started ≤ finished, where they are set. The texts sort as the times do. */
const timesAreInOrder: Check = ({ client }) =>
  seen(client).flatMap(({ taskId, created, started, finished }) => {
    const times = [created, started, finished].filter((time) => time !== null);
    return times.every((time, index) => index === 0 || (times[index - 1] ?? "") <= time)
      ? []
      : [`task ${taskId} has its times out of order: ${times.join(", ")}`];
  });

/** The end that clients received is the one that is stored. */
const clientsSeeTheStore: Check = ({ client, store }) => {
  const last = new Map(store.map((event) => [event.taskId, event.task]));
  return seen(client).flatMap(({ taskId, state, phase }) => {
    const stored = last.get(taskId)?.phase.kind;
    return state === "PENDING" || stored === phase
      ? []
      : [`task ${taskId} was seen as ${phase} and is stored as ${stored}`];
  });
};

const CHECKS: readonly Check[] = [
  acknowledgedTasksEnd,
  tasksAreAskedFor,
  endsAbsorb,
  edgesAreLegal,
  tokensIncrease,
  resultMeansSuccess,
  readsNeverGoBack,
  timesAreInOrder,
  clientsSeeTheStore,
];

function created(client: readonly ClientEvent[]): readonly string[] {
  return client.flatMap((event) => (event.kind === "created" ? [event.taskId] : []));
}

function seen(client: readonly ClientEvent[]): readonly Extract<ClientEvent, { kind: "seen" }>[] {
  return client.filter((event) => event.kind === "seen");
}

function perTask(store: readonly StoreEvent[]): readonly [string, readonly StoreEvent[]][] {
  return [...Map.groupBy(store, ({ taskId }) => taskId)];
}

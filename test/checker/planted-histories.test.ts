/** Each check on histories that break it, and on the nearest ones that do not. */
import { describe, expect, test } from "vitest";
import type { AuditLine, HistoryLine } from "./history-line.ts";
import { CHECKS } from "./judge.ts";
import {
  CANCELLED,
  call,
  counted,
  created,
  DIGEST,
  exported,
  judgedBy,
  marker,
  OTHER_DIGEST,
  PENDING,
  PROVED,
  ran,
  read,
  SUCCESS,
  sentencesOf,
  succeeded,
  write,
} from "./testing/planted-lines.ts";

interface Planted {
  readonly check: string;
  readonly broken: readonly HistoryLine[];
  readonly found: RegExp;
  /** The nearest history that the check accepts. */
  readonly good: readonly HistoryLine[];
}

const tasks = (...ids: readonly string[]) => ids.map((id) => ({ kind: "task", id }));
const cancelEntry = (action: string, fields: Partial<AuditLine> = {}): AuditLine => ({
  kind: "audit",
  entry_id: "e",
  created: "2026-01-01T00:00:00",
  action,
  object: { kind: "task", id: "t" },
  also: [],
  after: { phase: "cancelled" },
  ...fields,
});
const open = [write(1, "queued", { at: 10 }), write(2, "running", { attempt: 1, node: "n", at: 20 })];
const requeued = [...PROVED.slice(0, 2), write(3, "queued"), write(4, "running", { attempt: 2 })];
const claimedAt = (claimed: number) => [
  ...requeued.map((line) => (line.attempt === 2 ? { ...line, claimed } : line)),
  succeeded(5, 2),
];
const twoRuns = (uses: readonly string[], secondAt: number) => [
  ran("start", 0, { uses }),
  ran("finish", 10),
  ran("start", secondAt, { holder: "u", uses }),
  ran("finish", secondAt + 10, { holder: "u" }),
];
const twiceRun = (secondAt: number) => [
  ran("start", 0, { run: "1", workload: "a1" }),
  ran("start", secondAt, { run: "2", workload: "a2" }),
  ran("finish", 10, { run: "1" }),
  ran("finish", secondAt + 10, { run: "2" }),
];
const threeSlots = (slots: number): readonly HistoryLine[] => [
  { kind: "node", node: "n", slots },
  ran("start", 0, { slots: 2 }),
  ran("start", 1, { holder: "u", slots: 1 }),
];

const PLANTED: Readonly<Record<string, Planted>> = {
  "an acknowledged task that was never stored": {
    check: "lost",
    broken: [...created(0), marker("store-watched", 0)],
    found: /acknowledged and never stored/,
    good: [...created(0), ...PROVED],
  },
  "an ended task that was removed and is in no export": {
    check: "lost",
    broken: [...created(0), ...PROVED, write(9, null), exported({ task_id: "u" })],
    found: /is not in the export/,
    good: [...created(0), ...PROVED, write(9, null), exported()],
  },
  "an acknowledged task that is not found": {
    check: "lost",
    broken: [...created(0), ...read(5, null), ...PROVED],
    found: /not found by a later get/,
    good: [...created(4, { call: 9 }), ...read(4, null), ...PROVED],
  },
  "an acknowledged task that does not end": {
    check: "lost",
    broken: [...created(0), exported({ state: "PENDING", phase: "queued" })],
    found: /is still queued/,
    good: [...created(0), exported()],
  },
  "two creates acknowledged with one task": {
    check: "doubled",
    broken: [...created(0, { key: "k" }), ...created(5, { key: "l" })],
    found: /same task t/,
    good: [...created(0, { key: "k" }), ...created(5, { key: "k" })],
  },
  "one idempotency key that makes two tasks": {
    check: "doubled",
    broken: [...created(0, { key: "k" }), ...created(5, { key: "k", task_id: "u" })],
    found: /key k made 2 tasks/,
    good: [...created(0, { key: "k" }), ...created(5, { key: "l", task_id: "u" })],
  },
  "a task that nobody created": {
    check: "doubled",
    broken: [...created(0), ...PROVED, write(7, "queued", { task_id: "u" })],
    found: /1 tasks were not acknowledged to anybody/,
    good: [...created(0), ...call("create", 0, { type: "info" }), ...PROVED, write(7, "queued", { task_id: "u" })],
  },
  "a task that a client reads and whose create was rejected": {
    check: "doubled",
    broken: [...created(0, { task_id: "u" }), ...call("create", 1, { type: "fail" }), ...read(5, PENDING)],
    found: /1 tasks were not acknowledged to anybody, and only 0 responses were lost; 1 create more/,
    good: [...created(0, { task_id: "u" }), ...call("create", 1, { type: "info" }), ...read(5, PENDING)],
  },
  "a task that a rejected create named": {
    check: "doubled",
    broken: [...call("create", 0, { type: "fail", task_id: "t" }), ...read(5, PENDING, { process: "q" })],
    found: /a create was rejected, and its task t exists/,
    good: [
      ...call("create", 0, { type: "fail", task_id: "t", key: "k" }),
      ...created(2, { key: "k" }),
      ...read(5, PENDING, { process: "q" }),
    ],
  },
  "two tasks of one create": {
    check: "doubled",
    broken: [
      ...created(0, { input_sha256: DIGEST }),
      ...call("create", 0, { type: "info", input_sha256: OTHER_DIGEST }),
      write(1, "queued", { input_sha256: DIGEST }),
      write(2, "queued", { task_id: "u", input_sha256: DIGEST }),
    ],
    found: /2 tasks of the input a+ are stored, and 1 create may/,
    good: [
      ...created(0, { input_sha256: DIGEST }),
      ...call("create", 0, { type: "info", input_sha256: OTHER_DIGEST }),
      write(1, "queued", { input_sha256: DIGEST }),
      write(2, "queued", { task_id: "u", input_sha256: OTHER_DIGEST }),
    ],
  },
  "a task that ends twice": {
    check: "states",
    broken: [...PROVED, write(4, "failed")],
    found: /had ended and was written as failed at 4/,
    good: [...PROVED, write(4, null)],
  },
  "a task that is removed before its end": {
    check: "states",
    broken: [...PROVED.slice(0, 2), write(3, null)],
    found: /removed while it was running/,
    good: [...PROVED, write(4, null)],
  },
  "a success without a claim": {
    check: "states",
    broken: [write(1, "queued"), succeeded(2, 1)],
    found: /went from queued to succeeded/,
    good: [write(1, "running", { attempt: 1 }), succeeded(2, 1)],
  },
  "a success of an attempt that is no longer current": {
    check: "fencing",
    broken: [...requeued, succeeded(5, 1)],
    found: /succeeded with attempt 1 while 2 was current/,
    good: [...requeued, succeeded(5, 2)],
  },
  "a token that does not increase": {
    check: "fencing",
    broken: [write(5, "queued"), write(5, "running", { attempt: 1 })],
    found: /written at 5 after 5/,
    good: [write(5, "queued"), write(6, "running", { attempt: 1 })],
  },
  "an execution under a token that no claim has": {
    check: "fencing",
    broken: [...PROVED, ran("start", 0, { token: 3 })],
    found: /ran under token 3, which no claim has/,
    good: [...PROVED, ran("start", 0, { token: 2 })],
  },
  "an execution on another node than its claim's": {
    check: "fencing",
    broken: [...open, ran("start", 0, { node: "m" })],
    found: /ran on m under token 2, whose claim is of n/,
    good: [...open, ran("start", 0)],
  },
  "a result that was made before the newest claim": {
    check: "fencing",
    broken: [...claimedAt(5_000), ...read(0, { ...SUCCESS, result_made: 4_899 })],
    found: /has a result that was made 101 ms before attempt 2 was claimed/,
    good: [...claimedAt(5_000), ...read(0, { ...SUCCESS, result_made: 4_900 })],
  },
  "the result of an old token": {
    check: "fencing",
    broken: [...requeued, succeeded(5, 2), ran("finish", 0, { result_sha256: DIGEST }), ran("start", 0, { token: 4 })],
    found: /has the result of token 2 while 4 was current/,
    good: [
      ...requeued,
      succeeded(5, 2),
      ran("finish", 0, { result_sha256: DIGEST }),
      ran("finish", 0, { token: 4, result_sha256: DIGEST }),
    ],
  },
  "a result before the end": {
    check: "results",
    broken: read(0, { ...PENDING, result_sha256: DIGEST }),
    found: /PENDING with result/,
    good: read(0, PENDING),
  },
  "another result than was committed": {
    check: "results",
    broken: [...PROVED, ...read(0, { ...SUCCESS, result_sha256: OTHER_DIGEST })],
    found: /result of digest b+, and a+ was committed/,
    good: [...PROVED, ...read(0, SUCCESS)],
  },
  "an exported success without a result": {
    check: "results",
    broken: [exported({ result_bytes: null })],
    found: /exported as SUCCESS with null bytes/,
    good: [exported({ state: "FAILURE", phase: "failed", result_bytes: null })],
  },
  "a success that is written without a digest": {
    check: "results",
    broken: [...PROVED, write(4, "succeeded", { task_id: "u" })],
    found: /task u was written as succeeded without a result/,
    good: [...PROVED, write(4, "failed", { task_id: "u" })],
  },
  "an end that is taken back": {
    check: "order",
    broken: [...read(0, SUCCESS), ...read(5, PENDING)],
    found: /and later as/,
    good: [...read(0, SUCCESS), ...read(5, PENDING, { process: "q" })],
  },
  "an end that is not the stored one": {
    check: "order",
    broken: [...PROVED, exported({ state: "FAILURE", phase: "failed" })],
    found: /is exported as failed and is stored as succeeded/,
    good: [...PROVED, write(9, null), exported()],
  },
  "a start before the creation": {
    check: "order",
    broken: [exported({ started: "2025-12-31T23:59:59" })],
    found: /times out of order/,
    good: [exported({ started: null })],
  },
  "a read that misses an end that another client has seen": {
    check: "linearizable",
    broken: [...created(0), ...read(2, SUCCESS), ...read(5, PENDING, { process: "q" })],
    found: /3 calls on task t have no order/,
    good: [...created(0), ...read(2, SUCCESS, { ms: 5 }), ...read(5, PENDING, { process: "q" })],
  },
  "a read that does not find what was created before": {
    check: "linearizable",
    broken: [...created(0), ...read(5, null), ...read(9, PENDING)],
    found: /create: no task shown, get: not found, get: queued/,
    good: [...created(0, { type: "info" }), ...read(5, null), ...read(9, PENDING)],
  },
  "a read that finds what a rejected create named": {
    check: "linearizable",
    broken: [...call("create", 0, { type: "fail", task_id: "t" }), ...read(5, PENDING, { process: "q" })],
    found: /2 calls on task t have no order/,
    good: [...call("create", 0, { type: "fail", task_id: "t" }), ...read(5, null, { process: "q" })],
  },
  "a success that another client sees after the cancellation": {
    check: "linearizable",
    broken: [
      ...created(0),
      ...call("cancel", 2, { task_id: "t", task: CANCELLED }),
      ...read(5, SUCCESS, { process: "q" }),
    ],
    found: /as they returned: create: no task shown, cancel: cancelled, get: succeeded/,
    good: [...created(0), ...call("cancel", 2, { type: "info", task_id: "t" }), ...read(5, SUCCESS, { process: "q" })],
  },
  "a cancellation that is in the audit log, of a task that succeeded": {
    check: "cancellations",
    broken: [cancelEntry("cancelTask"), exported()],
    found: /was cancelled and stands as succeeded/,
    good: [cancelEntry("cancelTask"), exported({ state: "FAILURE", phase: "cancelled", result_bytes: null })],
  },
  "a GPU that two have at once": {
    check: "exclusive",
    broken: twoRuns(["gpu-0"], 9),
    found: /gpu-0 of n: 2 of 1 are used at 9 by t, u/,
    good: twoRuns(["gpu-0"], 10),
  },
  "a node that runs more than its slots": {
    check: "exclusive",
    broken: threeSlots(2),
    found: /slots of n: 3 of 2/,
    good: threeSlots(3),
  },
  "two executions at once, and one of no length": {
    check: "exclusive",
    broken: [
      ...twoRuns(["gpu-0"], 9),
      ran("start", 30, { holder: "v", uses: ["gpu-0"] }),
      ran("finish", 30, { holder: "v" }),
    ],
    found: /gpu-0 of n: 2 of 1 are used at 9 by t, u/,
    good: [
      ran("start", 0, { holder: "v", uses: ["gpu-0"] }),
      ran("finish", 0, { holder: "v" }),
      ...twoRuns(["gpu-0"], 10),
    ],
  },
  "without writes, an end that is shown in two ways": {
    check: "order",
    broken: [...read(0, SUCCESS), exported({ state: "FAILURE", phase: "failed" })],
    found: /was seen as succeeded and is exported as failed/,
    good: [...read(0, SUCCESS), exported()],
  },
  "without writes, two results of one task": {
    check: "order",
    broken: [
      ...read(0, { ...SUCCESS, result_sha256: DIGEST }),
      ...read(5, { ...SUCCESS, result_sha256: OTHER_DIGEST }, { process: "q" }),
    ],
    found: /or with another result/,
    good: [
      ...read(0, { ...SUCCESS, result_sha256: DIGEST }),
      ...read(5, { ...SUCCESS, result_sha256: DIGEST }, { process: "q" }),
    ],
  },
  "an execution that outlives its node": {
    check: "exclusive",
    broken: [ran("start", 0, { uses: ["gpu-0"] }), ran("start", 5, { holder: "u", uses: ["gpu-0"] })],
    found: /gpu-0 of n/,
    good: [
      ran("start", 0, { uses: ["gpu-0"] }),
      marker("node-died", 4, { node: "n" }),
      ran("start", 5, { holder: "u", uses: ["gpu-0"] }),
    ],
  },
  "an execution that outlives its agent's next process": {
    check: "exclusive",
    broken: [ran("start", 0, { uses: ["gpu-0"], run: "1" }), ran("start", 5, { uses: ["gpu-0"], run: "2", token: 3 })],
    found: /gpu-0 of n: 2 of 1/,
    good: [
      ran("start", 0, { uses: ["gpu-0"], run: "1" }),
      marker("agent-started", 4, { node: "n" }),
      ran("start", 5, { uses: ["gpu-0"], run: "2", token: 3 }),
    ],
  },
  "an attempt that runs twice at once": {
    check: "exclusive",
    broken: twiceRun(9),
    found: /attempt 1 of task t ran 2 times at once at 9, in a1 and a2/,
    good: twiceRun(10),
  },
  "an attempt that runs twice at once, on two nodes": {
    check: "exclusive",
    broken: [ran("start", 0, { run: "1" }), ran("start", 5, { run: "2", node: "m" })],
    found: /attempt 1 of task t ran 2 times at once at 5, in n and m/,
    good: [ran("start", 0, { run: "1" }), ran("start", 5, { run: "2", node: "m", attempt: 2, token: 7 })],
  },
  "descriptors that stay open": {
    check: "leaks",
    broken: [counted("before", 10), counted("after", 11)],
    found: /descriptors: 10 before and 11 after/,
    good: [counted("before", 10, { growth_max: 1.1 }), counted("after", 11)],
  },
  "a task that does not end once all is healed": {
    check: "liveness",
    broken: [...open, marker("healed", 100), succeeded(3, 1, { at: 60_101 })],
    found: /ended 60001 ms later/,
    good: [...open, marker("healed", 100), succeeded(3, 1, { at: 60_100 })],
  },
  "a task that is not queued again when its node dies": {
    check: "liveness",
    broken: [...open, marker("node-died", 30, { node: "n" }), write(3, "queued", { at: 15_031 })],
    found: /ran on n when that died, and was written 15001 ms later/,
    good: [...open, marker("node-died", 30, { node: "n" }), write(3, "queued", { at: 15_030 })],
  },
  "an audit entry that changes": {
    check: "audit",
    broken: [cancelEntry("cancelTask"), cancelEntry("deleteTask")],
    found: /not the same each time it is listed: action differ/,
    good: [cancelEntry("cancelTask"), cancelEntry("cancelTask", { created: "2026-01-01T00:00:00.000Z" })],
  },
  "an audit entry that later states another value": {
    check: "audit",
    broken: [
      cancelEntry("setRole", { after: { role: "admin" } }),
      cancelEntry("setRole", { after: { role: "owner" } }),
    ],
    found: /listed: after differ/,
    good: [
      cancelEntry("setRole", { after: { role: "admin", scopes: ["a", "b"], ends: null } }),
      cancelEntry("setRole", { after: { scopes: ["b", "a"], role: "admin" } }),
    ],
  },
  "an audit entry whose object was first removed and then is there": {
    check: "audit",
    broken: [cancelEntry("setRole", { after: null }), cancelEntry("setRole", { after: {} })],
    found: /listed: after differ/,
    good: [cancelEntry("setRole", { after: null }), cancelEntry("setRole", { after: null })],
  },
  "an audit entry that lists others than before": {
    check: "audit",
    broken: [
      cancelEntry("cancelTasks", { also: tasks("u", "v"), also_left_out: 0 }),
      cancelEntry("cancelTasks", { also: tasks("v", "w"), also_left_out: 0 }),
    ],
    found: /listed: also differ/,
    good: [
      cancelEntry("cancelTasks", { also: tasks("u", "v"), also_left_out: 0 }),
      cancelEntry("cancelTasks", { also: tasks("v", "u"), also_left_out: 0 }),
    ],
  },
  "an audit entry that lists fewer than it left out": {
    check: "audit",
    broken: [
      cancelEntry("cancelTasks", { also: tasks("u"), also_left_out: 1 }),
      cancelEntry("cancelTasks", { also: tasks("u", "v", "w") }),
    ],
    found: /listed: also differ/,
    good: [
      cancelEntry("cancelTasks", { also: tasks("u"), also_left_out: 1 }),
      cancelEntry("cancelTasks", { also: tasks("w", "u"), also_left_out: 0 }),
      cancelEntry("cancelTasks", { also: [], also_left_out: null }),
    ],
  },
};

describe.each(Object.entries(PLANTED))("%s", (_name, { check, broken, good, found }) => {
  test("is found", () => {
    expect(sentencesOf(check, broken)?.join("\n")).toMatch(found);
  });

  test("is not found in the nearest good history", () => {
    expect(sentencesOf(check, good)).toEqual([]);
  });
});

test("has a planted history for every check", () => {
  const planted = new Set(Object.values(PLANTED).map(({ check }) => check));
  expect(CHECKS.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
});

test.each(CHECKS.map(({ name }) => name))("states what it lacks of an empty history: %s", (name) => {
  expect(sentencesOf(name, [])).toBeNull();
});

const UNTIMED = [write(1, "queued"), write(2, "running", { attempt: 1, node: "n" })];
const TIMED = [write(3, "queued", { task_id: "u", at: 10 }), write(4, "failed", { task_id: "u", at: 20 })];

test("states that liveness is not checked of tasks whose writes have no time", () => {
  const markers = [marker("healed", 30), marker("node-died", 30, { node: "n" }), marker("end", 200_000)];
  expect(judgedBy("liveness", [...UNTIMED, ...markers])).toMatchObject({
    judged: null,
    lacks: "no task whose writes to the store all have a time",
  });
  const end = succeeded(5, 1);
  const left = "1 task not checked for lack of data: not all of their writes have a time";
  for (const more of [[], [end], [{ ...end, at: 190_000 }]]) {
    expect(judgedBy("liveness", [...UNTIMED, ...TIMED, ...more, ...markers])).toMatchObject({
      judged: `1 task, 1 death of nodes, ${left}`,
      violations: [],
    });
  }
});

test("states that order is not checked of open tasks whose writes have no time", () => {
  expect(judgedBy("order", UNTIMED)).toMatchObject({
    judged: null,
    lacks: "no writes of the store with times to compare",
  });
  const left =
    "2 records not checked for lack of data: no two times to compare, " +
    "1 end not checked for lack of data: the store's writes of its task have no time, and may end before it";
  expect(judgedBy("order", [...UNTIMED, ...read(5, SUCCESS)])).toMatchObject({
    judged: `1 record, ${left}`,
    violations: [],
  });
  const watched = [...UNTIMED, marker("store-watched", 0), ...read(5, SUCCESS)];
  expect(sentencesOf("order", watched)).toEqual(["task t was seen as succeeded and is stored as running"]);
});

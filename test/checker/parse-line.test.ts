import { expect, test } from "vitest";
import { historyOf } from "./history.ts";
import type { HistoryLine } from "./history-line.ts";
import { parseLine } from "./parse-line.ts";
import { DIGEST, exported } from "./testing/planted-lines.ts";

const { kind: _, ...TASK } = exported();
const CALL = { kind: "call", process: "p", call: 1, type: "ok", f: "get", at: 1, task_id: "t" };

test.each<[name: string, line: object]>([
  ["a call", CALL],
  ["a call whose response was: not found", { ...CALL, task: null }],
  [
    "a call with the task that it showed",
    { ...CALL, task: { state: "SUCCESS", phase: "succeeded", result_sha256: DIGEST } },
  ],
  ["a write", { kind: "write", task_id: "t", revision: 7, phase: "running", attempt: 1, node: "n", at: 2.5 }],
  ["a removal", { kind: "write", task_id: "t", revision: 7, phase: null }],
  [
    "an execution",
    { kind: "execution", type: "start", holder: "t", token: 7, node: "n", at: 3, uses: ["gpu-0"], slots: 1 },
  ],
  ["a node", { kind: "node", node: "n", slots: 4 }],
  ["a marker", { kind: "marker", name: "healed", at: 3 }],
  ["a count", { kind: "count", name: "descriptors", when: "after", value: 12, growth_max: 1.1 }],
  ["a member that it does not know", { kind: "node", node: "n", slots: 4, further: true }],
])("reads %s", (_name, line) => {
  expect(parseLine(JSON.stringify(line))).toEqual([line]);
});

test.each<[text: string, why: RegExp]>([
  ["{", /not valid JSON: Expected property name or '}' in JSON at position 1/],
  ["7", /not an object/],
  ['{"name":"x"}', /`kind` is not one of call, write/],
  ['{"kind":"toString"}', /`kind` is not one of/],
  [JSON.stringify({ ...CALL, at: undefined }), /`at` is missing/],
  [JSON.stringify({ ...CALL, at: "now" }), /`at` is not a number of milliseconds/],
  [JSON.stringify({ ...CALL, type: "done" }), /`type` is not one of invoke, ok, fail, info/],
  [JSON.stringify({ ...CALL, task: { state: "SUCCESS" } }), /`task` is not an object as documented/],
  [
    JSON.stringify({ kind: "write", task_id: "t", revision: 0, phase: "queued" }),
    /`revision` is not an integer of at least 1/,
  ],
  [JSON.stringify({ kind: "write", task_id: "t", revision: 1 }), /`phase` is missing/],
  [JSON.stringify({ kind: "write", task_id: "t", revision: 1, phase: "lost" }), /`phase` is not one of queued/],
  [JSON.stringify({ ...TASK, created: "yesterday" }), /`created` is not a time in UTC/],
])("rejects %s", (text, why) => {
  expect(() => parseLine(text)).toThrow(why);
});

test("reads an export as the service sends it, a line at a time and without inputs and results", () => {
  const text = `[${[TASK, TASK].map((task) => JSON.stringify({ ...task, input: "[1,2]", result: "{}" })).join(",\n")}]\n`;
  expect(text.split("\n").flatMap(parseLine)).toEqual([exported(), exported()]);
});

test.each(["[]", "", "]", "["])("reads nothing from %j, of an export without tasks or at its end", (text) => {
  expect(parseLine(text)).toEqual([]);
});

test("reads pages of a list", () => {
  const entry = { entry_id: "e", created: TASK.created, action: "createService", object: { kind: "service", id: "s" } };
  const page = { items: [{ ...entry, also: [], after: null }, TASK], next_cursor: null };
  expect(parseLine(JSON.stringify(page)).map(({ kind }) => kind)).toEqual(["audit", "task"]);
});

test.each<[name: string, lines: readonly object[], why: RegExp]>([
  ["returns without an invocation", [CALL], /returns and was not invoked/],
  [
    "is invoked twice",
    [
      { ...CALL, type: "invoke" },
      { ...CALL, type: "invoke" },
    ],
    /invoked twice/,
  ],
  ["returns before its invocation", [{ ...CALL, type: "invoke", at: 5 }, CALL], /returns before/],
  [
    "returns as another function",
    [
      { ...CALL, type: "invoke" },
      { ...CALL, f: "cancel" },
    ],
    /not what was invoked/,
  ],
])("names a call that %s", (_name, lines, why) => {
  const { misplaced } = historyOf(lines.map((line) => ({ ...(line as HistoryLine), place: null })));
  expect(misplaced.map((call) => call.why).join("\n")).toMatch(why);
});

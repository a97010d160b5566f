import { expect, test } from "vitest";
import { attemptsOf, NO_HISTORY, type TaskEvent, withTaskEvent } from "./task-events.ts";

const ID = "0".repeat(32);
const NODE = "1".repeat(32);

function event(type: TaskEvent["type"], second: number, more: Partial<TaskEvent> = {}): TaskEvent {
  const at = `2026-11-23T10:00:0${second}`;
  return {
    type,
    task_id: ID,
    service_id: ID,
    at,
    state: "PENDING",
    attempt: null,
    node_id: null,
    reason: null,
    ...more,
  };
}

const EVENTS = [
  event("task.created", 0),
  event("task.started", 1, { attempt: 1, node_id: NODE }),
  event("task.requeued", 3, { attempt: 1, reason: "node_lost" }),
  event("task.started", 4, { attempt: 2, node_id: NODE }),
  event("task.succeeded", 9, { attempt: 2, state: "SUCCESS" }),
];

const sent = (data: TaskEvent, id: number) => ({ id: String(id), type: data.type, data });

test("ignores events that a stream repeats", () => {
  const once = EVENTS.map(sent).reduce(withTaskEvent, NO_HISTORY);
  expect(once.events).toEqual(EVENTS);
  expect(EVENTS.map(sent).reduce(withTaskEvent, once)).toEqual(once);
});

test("shows progress of the running attempt until the next event", () => {
  const running = EVENTS.slice(0, 2).map(sent).reduce(withTaskEvent, NO_HISTORY);
  const data = { type: "task.progress", task_id: ID, attempt: 1, fraction: 0.5, message: "half" };
  const halfway = withTaskEvent(running, { id: "", type: "task.progress", data });
  expect([halfway.progress, halfway.events]).toEqual([data, running.events]);
  expect(withTaskEvent(halfway, sent(event("task.requeued", 3), 2)).progress).toBeNull();
});

test("lists attempts with their machine, their times and why they ended", () => {
  const first = { number: 1, nodeId: NODE, started: "2026-11-23T10:00:01", ended: "2026-11-23T10:00:03" };
  const second = {
    number: 2,
    nodeId: NODE,
    started: "2026-11-23T10:00:04",
    ended: "2026-11-23T10:00:09",
    reason: null,
  };
  expect(attemptsOf(EVENTS)).toEqual([{ ...first, reason: "node_lost" }, second]);
  expect(attemptsOf(EVENTS.slice(0, 4)).at(-1)).toMatchObject({ number: 2, ended: null });
  expect(attemptsOf([event("task.created", 0), event("task.cancelled", 1, { reason: "cancelled" })])).toEqual([]);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EventStream } from "./event-stream.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function opened(mayReceive: () => boolean = () => true): {
  readonly stream: EventStream;
  readonly closed: () => boolean;
} {
  let isClosed = false;
  const stream = new EventStream({
    mayReceive,
    onClosed: () => {
      isClosed = true;
    },
  });
  return { stream, closed: () => isClosed };
}

function sent(stream: EventStream): string {
  return String(stream.body.read() ?? "");
}

test("events are sent with their id, or without one", () => {
  const { stream } = opened();
  stream.send({ id: 7, type: "task.started", data: { attempt: 1 } });
  stream.send({ type: "task.progress", data: {} });
  expect(sent(stream)).toBe(
    'retry: 1000\n\nid: 7\nevent: task.started\ndata: {"attempt":1}\n\nevent: task.progress\ndata: {}\n\n',
  );
});

test("a comment every 15 s keeps a silent stream alive, and gives an occasion to look again", () => {
  const { stream } = opened();
  const look = vi.fn();
  stream.onBeat(look);
  sent(stream);
  vi.advanceTimersByTime(15_000);
  expect([sent(stream), look.mock.calls.length]).toEqual([": beat\n\n", 1]);
});

test("a client that may no longer read receives nothing more, not even at a beat", async () => {
  let may = true;
  const { stream, closed } = opened(() => may);
  sent(stream);
  may = false;
  stream.send({ type: "task.started", data: {} });
  expect([sent(stream), stream.isOpen]).toEqual(["", false]);
  const silent = opened(() => may).stream;
  sent(silent);
  vi.advanceTimersByTime(15_000);
  expect([sent(silent), silent.isOpen]).toEqual(["", false]);
  await vi.waitFor(() => expect(closed()).toBe(true));
});

test("a client that does not read is cut", async () => {
  const { stream, closed } = opened();
  for (let n = 0; n < 10_000; n++) stream.send({ type: "task.progress", data: { message: "x".repeat(100) } });
  await vi.waitFor(() => expect(closed()).toBe(true));
  expect(stream.body.destroyed).toBe(true);
});

test("beats do not gather before a client that does not read", () => {
  const { stream } = opened();
  vi.advanceTimersByTime(3_600_000);
  expect(sent(stream)).toBe("retry: 1000\n\n");
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { VIEW_AGE_MAX_MS } from "../../auth/authenticate.ts";
import { EventStreams } from "./event-streams.ts";

const HOLDER = { key: { id: "k", userId: "u" }, teamId: "t" };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function opened(ageMs: () => number) {
  const may = { read: true };
  const streams = new EventStreams({ streaming: () => undefined }, { ageMs });
  return { may, stream: streams.open(HOLDER, () => may.read) };
}

test("ends a silent stream within a second once its client may no longer read", () => {
  const { may, stream } = opened(() => 0);
  vi.advanceTimersByTime(5_000);
  expect(stream.isOpen).toBe(true);
  may.read = false;
  vi.advanceTimersByTime(1_000);
  expect(stream.isOpen).toBe(false);
});

test("keeps silent streams open while the view is too stale to decide, and sends them nothing", () => {
  const { may, stream } = opened(() => VIEW_AGE_MAX_MS + 1);
  may.read = false;
  vi.advanceTimersByTime(5_000);
  expect(stream.isOpen).toBe(true);
  stream.send({ type: "changes", data: {} });
  expect(stream.isOpen).toBe(false);
});

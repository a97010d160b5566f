import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startFence } from "./fence.ts";
import { SharedContact } from "./shared-contact.ts";

const AFTER_MS = 12_000;
const clock = { now: () => Date.now(), monotonicMs: () => Date.now() };

beforeEach(() => {
  vi.useFakeTimers({ now: 100_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function fenced() {
  const contact = new SharedContact();
  contact.setFenceAfterMs(AFTER_MS);
  let times = 0;
  startFence(contact, clock, () => {
    times += 1;
  });
  const alive = () => contact.onAlive(Date.now(), Date.now());
  return { contact, alive, times: () => times };
}

test("abandons once for each time without contact, and not before the first contact", () => {
  const { alive, times } = fenced();
  vi.advanceTimersByTime(10 * AFTER_MS);
  expect(times()).toBe(0);
  alive();
  vi.advanceTimersByTime(AFTER_MS - 1);
  expect(times()).toBe(0);
  vi.advanceTimersByTime(10 * AFTER_MS);
  expect(times()).toBe(1);
  alive();
  vi.advanceTimersByTime(2 * AFTER_MS);
  expect(times()).toBe(2);
});

test("an acknowledgement that was overtaken moves nothing back", () => {
  const { contact, times } = fenced();
  contact.onAlive(Date.now(), Date.now());
  contact.onAlive(Date.now() - AFTER_MS + 1_000, Date.now());
  vi.advanceTimersByTime(AFTER_MS - 1);
  expect(times()).toBe(0);
});

test("a loop that was blocked for longer than the fence abandons nothing where its thread stayed in contact", () => {
  const { contact, alive, times } = fenced();
  alive();
  for (let blockedMs = 0; blockedMs < 20_000; blockedMs += 3_000) {
    vi.setSystemTime(Date.now() + 3_000);
    new SharedContact(contact.memory).onAlive(Date.now(), Date.now());
  }
  // The timer comes first on waking.
  vi.advanceTimersToNextTimer();
  expect(times()).toBe(0);
});

test("a loop that was blocked abandons on waking where its thread lost contact, though it came back since", () => {
  const { contact, alive, times } = fenced();
  alive();
  vi.setSystemTime(Date.now() + 20_000);
  new SharedContact(contact.memory).onAlive(Date.now(), Date.now());
  vi.advanceTimersToNextTimer();
  expect(times()).toBe(1);
  vi.advanceTimersByTime(AFTER_MS - 1_000);
  expect(times()).toBe(1);
});

import { expect, test } from "vitest";
import { SendWindow } from "./send-window.ts";
import { WINDOW_BYTES } from "./terminal-limits.ts";

const never = new AbortController().signal;

test("holds back a piece until enough of what was sent is acknowledged", async () => {
  const window = new SendWindow();
  await window.room(never);
  window.sent(WINDOW_BYTES + 1);
  let hasRoom = false;
  const waiting = window.room(never).then(() => {
    hasRoom = true;
  });
  expect(window.acknowledge(1)).toBe(true);
  await Promise.resolve();
  expect(hasRoom).toBe(false);
  window.acknowledge(1);
  await waiting;
  expect(window.unacknowledgedBytes).toBe(WINDOW_BYTES - 1);
});

test("does not accept an acknowledgement of what was never sent", () => {
  const window = new SendWindow();
  window.sent(10);
  expect(window.acknowledge(11)).toBe(false);
  expect(window.unacknowledgedBytes).toBe(10);
});

test("holds nothing back any more once the connection is gone", async () => {
  const window = new SendWindow();
  window.sent(WINDOW_BYTES);
  const gone = new AbortController();
  const waiting = window.room(gone.signal);
  gone.abort();
  await waiting;
});

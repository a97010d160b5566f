import { expect, test } from "vitest";
import { InputWindow } from "./input-window.ts";

test("sends a long paste in pieces, each within the window, complete and in order", () => {
  const sent: number[] = [];
  let unacknowledged = 0;
  const window = new InputWindow((piece) => {
    sent.push(...piece);
    unacknowledged += piece.length;
  });
  const paste = Uint8Array.from({ length: 1_000_000 }, (_, at) => at % 251);
  window.push(paste);
  window.push(Uint8Array.of(252));
  while (unacknowledged > 0) {
    expect(unacknowledged).toBeLessThanOrEqual(256 * 1024);
    const some = Math.min(unacknowledged, 10_000);
    unacknowledged -= some;
    window.acknowledge(some);
  }
  expect(sent.length).toBe(1_000_001);
  expect(sent.every((byte, at) => byte === (at === 1_000_000 ? 252 : at % 251))).toBe(true);
});

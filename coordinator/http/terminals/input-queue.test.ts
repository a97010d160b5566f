import { expect, test, vi } from "vitest";
import { InputQueue } from "./input-queue.ts";
import { WINDOW_BYTES } from "./terminal-limits.ts";

function queueOf() {
  const writes: string[] = [];
  const acknowledged: number[] = [];
  let take: () => void = () => undefined;
  const failed = vi.fn();
  const queue = new InputQueue({
    write: (bytes) => {
      writes.push(bytes.toString());
      return new Promise((resolve) => {
        take = resolve;
      });
    },
    written: (bytes) => acknowledged.push(bytes),
    failed,
  });
  return { queue, writes, acknowledged, failed, take: () => take() };
}

test("writes in order, joins what comes meanwhile, and acknowledges what was taken", async () => {
  const { queue, writes, acknowledged, take } = queueOf();
  for (const text of ["a", "b", "c"]) queue.push(Buffer.from(text));
  expect(writes).toEqual(["a"]);
  take();
  await vi.waitFor(() => expect(writes).toEqual(["a", "bc"]));
  expect(acknowledged).toEqual([1]);
});

test("takes a window and no byte more until some of it is written", async () => {
  const { queue, acknowledged, take } = queueOf();
  expect(queue.push(Buffer.alloc(WINDOW_BYTES))).toBe(true);
  expect(queue.push(Buffer.alloc(1))).toBe(false);
  take();
  await vi.waitFor(() => expect(acknowledged).toEqual([WINDOW_BYTES]));
  expect(queue.push(Buffer.alloc(1))).toBe(true);
});

test("reports a write that fails", async () => {
  const failed = vi.fn();
  const error = new Error("gone");
  const queue = new InputQueue({ write: () => Promise.reject(error), written: () => undefined, failed });
  queue.push(Buffer.from("a"));
  await vi.waitFor(() => expect(failed).toHaveBeenCalledWith(error));
});

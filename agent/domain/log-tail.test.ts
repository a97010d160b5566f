import { expect, test } from "vitest";
import { logTail, tailText } from "./log-tail.ts";

test("returns what came after a mark, at most so much of its end", () => {
  const log = logTail(1_000);
  log.append(Buffer.from("before "));
  const mark = log.mark();
  log.append(Buffer.from("after"));
  expect(log.since(mark, 100)).toBe("after");
  expect(log.since(mark, 3)).toBe("ter");
  expect(log.since(log.mark(), 100)).toBe("");
});

test("keeps memory bounded under a flood, and retains the end", () => {
  const log = logTail(1_000);
  for (let line = 0; line < 10_000; line += 1) log.append(Buffer.from(`line ${line}\n`));
  expect(log.since(0, 20)).toBe("line 9998\nline 9999\n");
});

test("leaves out a character that was cut", () => {
  expect(tailText(Buffer.from("aé😀"), 3)).toBe("");
  expect(tailText(Buffer.from("aé😀"), 4)).toBe("😀");
  expect(tailText(Buffer.from("aé😀"), 5)).toBe("😀");
});

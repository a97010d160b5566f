import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { measure } from "./measure-loop.ts";

const log = createLog({ name: "test", level: "silent" });

test("who leads tells how much all logs take, and whoever does not tells of none", async () => {
  const told: number[] = [];
  const metrics = { stored: (bytes: number) => void told.push(bytes) };
  const logs = { totalBytes: async () => 12_345 };
  await measure({ logs, metrics, log, isLeading: () => true });
  await measure({ logs, metrics, log, isLeading: () => false });
  const broken = { totalBytes: () => Promise.reject(new Error("no such disk")) };
  await measure({ logs: broken, metrics, log, isLeading: () => true });
  expect(told).toEqual([12_345, 0]);
});

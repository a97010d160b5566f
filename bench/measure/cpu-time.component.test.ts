import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { ownCpuSeconds, treeCpuSeconds } from "./cpu-time.ts";

/** Counts in a child that ends, then lives on. */
const SCRIPT = `bash -c 'for ((n = 0; n < 300000; n++)); do :; done'; echo ended; read`;

test("counts the CPU time of children, also once they have ended, and a shared tree once", async () => {
  const child = spawn("bash", ["-c", SCRIPT], { stdio: ["pipe", "pipe", "inherit"] });
  const pid = child.pid ?? 0;
  try {
    await once(child.stdout, "data");
    expect(treeCpuSeconds([pid])).toBeGreaterThan(ownCpuSeconds(pid) + 0.1);
    expect(treeCpuSeconds([pid, pid])).toBe(treeCpuSeconds([pid]));
  } finally {
    child.stdin.end();
    await once(child, "exit");
  }
  expect(treeCpuSeconds([pid])).toBe(0);
});

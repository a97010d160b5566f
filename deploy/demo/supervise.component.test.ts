import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Program } from "../local/program.ts";
import { supervise } from "./supervise.ts";

const folder = mkdtempSync(join(tmpdir(), "supervise-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const shell = (script: string): Program => ({
  name: "part",
  command: "/bin/sh",
  args: ["-c", script],
  env: { PATH: "/usr/bin:/bin" },
  logFile: join(folder, "part.log"),
});

test("a part that is killed is back within a second, as another process", async () => {
  const part = await supervise({
    program: () => shell("echo up; exec sleep 1000"),
    becomesReady: (child) => child.line((line) => line === "up" || undefined, 5000),
    onChange: () => {},
    say: () => {},
  });
  const before = part.pid();
  process.kill(before ?? 0, "SIGKILL");
  await expect.poll(() => part.pid() !== null && part.pid() !== before, { timeout: 1000, interval: 10 }).toBe(true);
  const after = part.pid();
  await part.stop();
  expect(part.pid()).toBe(null);
  expect(() => process.kill(after ?? 0, 0)).toThrow("ESRCH");
});

test("a part that keeps ending is started less and less often", async () => {
  const said: string[] = [];
  const part = await supervise({
    program: () => shell("echo up; sleep 0.01"),
    becomesReady: (child) => child.line((line) => line === "up" || undefined, 5000),
    onChange: () => {},
    say: (line) => said.push(line),
  });
  await expect.poll(() => said.length, { timeout: 5000 }).toBeGreaterThanOrEqual(3);
  await part.stop();
  expect(said.slice(0, 3).map((line) => / (\d+) ms/.exec(line)?.[1])).toEqual(["200", "400", "800"]);
});

test("a part that ends by an error is reported with the reason that it logged", async () => {
  const said: string[] = [];
  const part = await supervise({
    program: () => shell(`echo up; sleep 0.05; echo '{"level":60,"why":"an older copy","msg":"stopping"}'; exit 1`),
    becomesReady: (child) => child.line((line) => line === "up" || undefined, 5000),
    onChange: () => {},
    say: (line) => said.push(line),
  });
  await expect.poll(() => said.length, { timeout: 5000 }).toBeGreaterThanOrEqual(1);
  await part.stop();
  expect(said[0]).toBe("part ended (code 1): stopping: an older copy; it is started again in 200 ms");
});

test("a part that does not become ready is a failure, not something to be started again", async () => {
  const starts = { count: 0 };
  const start = supervise({
    program: () => {
      starts.count += 1;
      return shell("echo no luck; exit 1");
    },
    becomesReady: (child) => child.line(() => undefined, 5000),
    onChange: () => {},
    say: () => {},
  });
  await expect(start).rejects.toThrow(/no luck/);
  expect(starts.count).toBe(1);
});

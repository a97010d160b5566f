import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startChild } from "./child.ts";
import { lineWithMessage } from "./json-line.ts";
import type { Program } from "./program.ts";
import { until } from "./until.ts";

const folder = mkdtempSync(join(tmpdir(), "child-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const shell = (script: string): Program => ({
  name: "shell",
  command: "/bin/sh",
  args: ["-c", script],
  env: { PATH: "/usr/bin:/bin" },
  logFile: join(folder, "shell.log"),
});

test("a line is found whether it was printed before the wait or after", async () => {
  const child = await startChild(shell(`echo '{"msg":"ready","port":7}'; read wait || sleep 100`));
  const find = lineWithMessage("ready");
  expect((await child.line(find, 5000)).port).toBe(7);
  expect((await child.line(find, 5000)).port).toBe(7);
  await child.stop();
});

test("a wait for a line rejects with the end of the log when the child ends first", async () => {
  const child = await startChild(shell("echo out of luck >&2; exit 3"));
  await expect(child.line(() => undefined, 5000)).rejects.toThrow(/ended \(code 3.*out of luck/s);
});

test("a child that ended says in a sentence why and where its log is", async () => {
  const record = '{"level":60,"why":"no disk","msg":"could not start"}';
  const child = await startChild(shell(`echo '${record}'; exit 1`));
  const failed = child.whileRunning(() => new Promise(() => {}));
  await expect(failed).rejects.toMatchObject({
    summary: `shell ended (code 1): could not start: no disk. Its log: ${join(folder, "shell.log")}`,
  });
  expect(await child.failureReason()).toBe("could not start: no disk");
});

test("a child whose own child holds its output open is known to have ended", async () => {
  const child = await startChild(shell("sleep 30 & echo $!; echo bad luck; exit 4"));
  const pid = Number(await child.line((line) => (/^\d+$/.test(line) ? line : undefined), 5000));
  expect(await child.failureReason()).toBe("bad luck");
  process.kill(pid);
});

test("what a child prints is appended to its log file", async () => {
  const child = await startChild(shell("echo kept"));
  await child.line((line) => line === "kept" || undefined, 5000);
  expect(readFileSync(join(folder, "shell.log"), "utf8")).toContain("kept\n");
});

test("stop kills a child that ignores SIGTERM", async () => {
  const child = await startChild(shell("trap '' TERM; echo deaf; while :; do sleep 0.05; done"));
  await child.line((line) => line === "deaf" || undefined, 5000);
  expect(await child.stop(100)).toEqual({ code: null, signal: "SIGKILL" });
});

test("a child gets no environment but its own", async () => {
  const child = await startChild(shell("env | sort | tr '\\n' ' '; echo end"));
  expect(await child.line((line) => (line.endsWith("end") ? line : undefined), 5000)).not.toContain("HOME=");
});

test("a child dies when its parent is killed with SIGKILL", async () => {
  const script = `
    const { startChild } = await import(${JSON.stringify(join(import.meta.dirname, "child.ts"))});
    const child = await startChild(${JSON.stringify(shell("sleep 1000"))});
    console.log(child.pid);`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = await new Promise<string>((resolve) =>
    parent.stdout.once("data", (data) => resolve(String(data).trim())),
  );
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  parent.kill("SIGKILL");
  await until("the child is gone", () => !existsSync(`/proc/${pid}`) || undefined, { timeoutMs: 5000 });
});

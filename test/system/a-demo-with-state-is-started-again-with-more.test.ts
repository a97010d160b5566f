import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DemoState } from "@elastic/deploy/demo/state-file.ts";
import { agentProgram } from "@elastic/deploy/local/agent.ts";
import { startChild } from "@elastic/deploy/local/child.ts";
import { lineWithMessage, parseJsonLine } from "@elastic/deploy/local/json-line.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../cluster/api-client.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { programPath } from "../cluster/machine.ts";
import { readyShell, shellOf } from "../cluster/shell.ts";
import { runSsh, target } from "../cluster/ssh-client.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { type Demo, demoState, startDemo, startLastingDemo } from "./demo-process.ts";

const noEngine = await whyNoEngineHere();
const START_TIMEOUT_MS = 170_000;
const LINKED_TIMEOUT_MS = 60_000;

const work = makeWorkFolder();
let first: { readonly task: { readonly task_id: string; readonly service_id: string } };
let second: Demo;
let state: DemoState;

beforeAll(async () => {
  const container = noEngine === null;
  const demo = await startLastingDemo(work.path, "--json", ...(container ? ["--container"] : []));
  expect((await demo.child.exited).code, demo.child.tail()).toBe(0);
  first = parseJsonLine(demo.child.tail(1)) as unknown as typeof first;
  const more = ["--enroll", "127.0.0.1", ...(container ? ["--shells"] : [])];
  second = await startLastingDemo(work.path, "--keep", ...more);
  await second.child.line((line) => line.includes("Three commands") || undefined, START_TIMEOUT_MS);
  state = demoState(second);
}, 2 * START_TIMEOUT_MS);

afterAll(async () => {
  await second?.child.stop();
  work[Symbol.dispose]();
});

test("has the key, the service and the tasks of the first start", async () => {
  expect(state.service_id).toBe(first.task.service_id);
  const { text } = await client().call(`/v1/tasks/${first.task.task_id}`);
  expect(JSON.parse(text)).toMatchObject({ state: "SUCCESS" });
});

test("rejects a second demo with the same state, and a temporary one", async () => {
  const another = await startLastingDemo(work.path, "--keep");
  expect((await another.child.exited).code).toBe(1);
  expect(another.child.tail()).toMatch(/running already.*--stop --state /);
  const temporary = await startDemo(work.path);
  expect((await temporary.child.exited).code).toBe(1);
  expect(temporary.child.tail()).toMatch(/has the state of a demo; nothing was touched/);
});

test("prints lines that a shell runs as they are pasted", async () => {
  expect(await pasted(["export ", "curl "])).toContain('"state":"SUCCESS"');
});

test("lets an agent join by the printed line of --enroll", async () => {
  const stateDir = join(work.path, "joined");
  expect(await pasted(["alias ", "echo ejt_"], { ELASTIC_STATE_DIR: stateDir })).toContain("is node ");
  const agent = await startChild(
    agentProgram({
      name: "joined",
      coordinators: [],
      tls: null,
      stateDir,
      engineSocket: null,
      metricsPort: 0,
      logFile: join(work.path, "joined.log"),
      path: programPath(),
    }),
  );
  await agent.line(lineWithMessage("linked"), LINKED_TIMEOUT_MS);
  await agent.stop();
});

test.skipIf(noEngine !== null)("opens a shell with --shells", async () => {
  const { shell_id: user, password } = await readyShell(client());
  const { port } = (await shellOf(client(), user)) as unknown as { readonly port: number };
  const place = { folder: work.path, address: `127.0.0.1:${port}`, user, password };
  expect(await runSsh("ssh", place, [target(place), "pwd"])).toMatchObject({ code: 0, out: "/home/shell\n" });
});

test("leaves its state where it was when it is stopped", async () => {
  const stop = await startLastingDemo(work.path, "--stop");
  expect((await stop.child.exited).code).toBe(0);
  expect((await second.child.exited).code).toBe(0);
  expect(existsSync(second.folder)).toBe(true);
});

function client() {
  return apiClient({ url: state.url ?? "", key: state.key ?? "" });
}

/** What a shell prints that gets the lines beginning in one of these ways. */
async function pasted(beginnings: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const lines = second.child
    .tail(80)
    .split("\n")
    .map((line) => line.trim());
  const chosen = lines.filter((line) => beginnings.some((beginning) => line.startsWith(beginning)));
  const script = ["shopt -s expand_aliases", ...chosen].join("\n");
  const surroundings = { env: { PATH: programPath(), ELASTIC_ACCEL_LIBRARY: "none", ...env } };
  const { stdout } = await promisify(execFile)("bash", ["-euc", script], surroundings);
  return stdout;
}

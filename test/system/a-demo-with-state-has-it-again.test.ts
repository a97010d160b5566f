import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { Child } from "@elastic/deploy/local/child.ts";
import { parseJsonLine } from "@elastic/deploy/local/json-line.ts";
import { expect, test } from "vitest";
import { apiClient } from "../cluster/api-client.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { programPath } from "../cluster/machine.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { demoState, startDemo, startLastingDemo } from "./demo-process.ts";

const noEngine = await whyNoEngineHere();
const container = noEngine === null ? ["--container"] : [];
const START_TIMEOUT_MS = 150_000;

interface Outcome {
  readonly task: { readonly task_id: string; readonly service_id: string };
}

test("the second start with the same state has the key, the service, its image and the tasks of the first", async () => {
  using work = makeWorkFolder();
  const first = await startLastingDemo(work.path, "--json", ...container);
  expect((await first.child.exited).code, first.child.tail()).toBe(0);
  const { task } = parseJsonLine(first.child.tail(1)) as unknown as Outcome;

  // Without --container: the state knows that it has images.
  const second = await startLastingDemo(work.path, "--keep");
  await second.child.line((line) => line.includes("Three commands") || undefined, START_TIMEOUT_MS);
  const { url, key, service_id: serviceId } = demoState(second);
  expect(serviceId).toBe(task.service_id);
  const client = apiClient({ url: url ?? "", key: key ?? "" });
  expect(JSON.parse((await client.call(`/v1/tasks/${task.task_id}`)).text)).toMatchObject({ state: "SUCCESS" });

  const third = await startLastingDemo(work.path, "--keep");
  expect((await third.child.exited).code).toBe(1);
  expect(third.child.tail()).toMatch(/running already.*--stop --state /);
  const temporary = await startDemo(work.path);
  expect((await temporary.child.exited).code).toBe(1);
  expect(temporary.child.tail()).toMatch(/has the state of a demo; nothing was touched/);

  expect(await pasted(second.child, "curl")).toContain('"task_id":');

  const stop = await startLastingDemo(work.path, "--stop");
  expect((await stop.child.exited).code).toBe(0);
  expect((await second.child.exited).code).toBe(0);
  expect(existsSync(second.folder)).toBe(true);
});

/** What a shell prints of the lines that export variables and those that begin with `command`. */
async function pasted(demo: Child, command: string): Promise<string> {
  const lines = demo
    .tail(60)
    .split("\n")
    .map((line) => line.trim());
  const script = lines.filter((line) => line.startsWith("export ") || line.startsWith(`${command} `));
  const { stdout } = await promisify(execFile)("bash", ["-euc", script.join("\n")], { env: { PATH: programPath() } });
  return stdout;
}

/** What a user sees of a service at work: its metrics, its log, and its page. */
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiInMemory, startApiInMemory } from "@elastic/test/cluster/api-in-memory.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ran, runBinary } from "./testing/run-binary.ts";

let api: ApiInMemory;
let home: string;
let serviceId: string;

beforeAll(async () => {
  api = await startApiInMemory();
  home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  await elastic("login", "--url", api.url, "--api-key", api.key);
  serviceId = JSON.parse((await elastic("service", "create", "poseidon", "--json")).stdout).service_id;
  const rolledOut = api.rollOutNext(serviceId);
  await elastic("deploy", "--image", "builtin:noop", "--wait");
  await rolledOut;
  for (const how of [{ result: "proof" }, { fails: "prover_error" }] as const) {
    const ended = api.endNext(serviceId, how);
    await elastic("task", "create", "--json", "{}", "--wait");
    await ended;
  }
});
afterAll(async () => {
  await rm(home, { recursive: true });
  await api[Symbol.asyncDispose]();
});

function elastic(...args: readonly string[]): Promise<Ran> {
  return runBinary(args, {
    directory: home,
    env: { ELASTIC_CONFIG_DIR: join(home, "config"), BROWSER: join(home, "browser") },
  });
}

test("service metrics shows a row for each step and the total below", async () => {
  const { code, stdout } = await elastic("service", "metrics", "--since", "30m", "--step", "10m");
  const lines = stdout.trimEnd().split("\n");
  expect(code).toBe(0);
  expect(lines[0]).toMatch(/^FROM +SUCCESS +FAILED +CANCELS +QUEUE P50 +P95 +RUN P50 +P95 /);
  expect([lines.length >= 5, lines.length <= 6]).toEqual([true, true]);
  expect(lines.at(-1)).toMatch(/^total +1 +1 +0 +\d/);
  const metrics = JSON.parse((await elastic("service", "metrics", "--service", "poseidon", "--json")).stdout);
  expect([metrics.service_id, metrics.total.tasks.succeeded, metrics.step_seconds]).toEqual([serviceId, 1, 300]);
});

test("service metrics refuses a time before the retention, before anything is sent", async () => {
  expect(await elastic("service", "metrics", "--since", "2d")).toMatchObject({ code: 2, stdout: "" });
  expect((await elastic("service", "metrics", "--step", "7m")).stderr).toContain("1m, 5m, 10m, 30m, 1h");
});

test("open prints the service's page and opens it in the browser", async () => {
  const page = `${api.url}/services/${serviceId}`;
  const shown = join(home, "shown");
  await writeFile(join(home, "browser"), `#!/bin/sh\nprintf %s "$1" > "${shown}"\n`);
  await chmod(join(home, "browser"), 0o755);
  expect(await elastic("open")).toEqual({ code: 0, stdout: `${page}\n`, stderr: "" });
  await expect.poll(async () => await readFile(shown, "utf8").catch(() => "")).toBe(page);
  await rm(join(home, "browser"));
  const without = await elastic("open", "--service", "poseidon", "--json");
  expect([without.code, JSON.parse(without.stdout)]).toEqual([0, { url: page }]);
  expect((await elastic("open")).stderr).toContain("set BROWSER");
  expect((await elastic("open", "--no-browser")).stderr).toBe("");
});

test("service logs ends with what the newest tasks wrote", async () => {
  expect(await elastic("service", "logs")).toEqual({
    code: 0,
    stdout: "",
    stderr: "No log yet: the provers of the service have written nothing for its newest tasks.\n",
  });
  expect(await elastic("service", "logs", "--service", "absent")).toMatchObject({ code: 4 });
});

test("every list is an array for programs, with states as the interface spells them", async () => {
  const lists = [
    ...["team list", "team members", "team invitations", "key list", "service list", "deployment list", "build list"],
    ...["data ls", "shell list", "shell key list", "webhook list", "task list", "node gpu-types"],
  ];
  for (const list of lists) {
    const { stdout } = await elastic(...list.split(" "), "--json");
    expect([list, JSON.parse(stdout)]).toEqual([list, expect.any(Array)]);
  }
  expect(JSON.parse((await elastic("service", "list", "--json")).stdout)).toMatchObject([{ state: "Ready" }]);
  expect(JSON.parse((await elastic("deployment", "list", "--json")).stdout)).toMatchObject([{ state: "Ready" }]);
});

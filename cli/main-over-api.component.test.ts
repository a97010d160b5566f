import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiInMemory, startApiInMemory } from "@elastic/test/cluster/api-in-memory.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ran, runBinary } from "./testing/run-binary.ts";

let api: ApiInMemory;
let home: string;

beforeEach(async () => {
  api = await startApiInMemory();
  home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  const ran = await elastic("login", "--url", api.url, "--api-key", api.key);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("the active team is team own") });
});
afterEach(async () => {
  await rm(home, { recursive: true });
  await api[Symbol.asyncDispose]();
});

function elastic(...args: readonly string[]): Promise<Ran> {
  return runBinary(args, { directory: home, env: { ELASTIC_CONFIG_DIR: join(home, "config") } });
}

async function createService(): Promise<string> {
  const ran = await elastic("service", "create", "poseidon", "--json");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ran.stdout).service_id;
}

test("a service is created, deployed and given a task, whose record comes back", async () => {
  const serviceId = await createService();
  expect((await elastic("service", "info")).stdout).toContain("state: UNREADY\n");
  expect((await elastic("task", "list")).stdout).toBe("The team has no tasks.\n");

  const rolledOut = api.rollOutNext(serviceId);
  const deployed = await elastic("deploy", "--image", "builtin:noop", "--tag", "v1", "--wait");
  await rolledOut;
  expect(deployed).toMatchObject({ code: 0, stdout: `Ready. Endpoint: ${api.url}/v1/services/${serviceId}\n` });
  expect((await elastic("service", "info")).stdout).toMatch(/state: READY\n(.*\n)*image tag: v1\n/);

  const input = '{"n":12345678901234567890,"a":1,"a":2,"x":1e400}';
  const created = await elastic("task", "create", "--json", input);
  const taskId = /^elastic task info ([0-9a-f]{32})\n$/.exec(created.stdout)?.[1] ?? "";
  expect((await elastic("task", "info", taskId)).stdout).toBe(
    `service name: poseidon\ntask id: ${taskId}\nstate: PENDING\nresult url: -\n`,
  );
  expect((await elastic("task", "info", taskId, "-d")).stdout).toContain(`\ninput: ${input}\n`);
});

test("a deployment that does not come up states its reason and leaves the service failed", async () => {
  const serviceId = await createService();
  const failed = api.failNext(serviceId, "The registry does not respond.");
  const deployed = await elastic("deploy", "--image", "builtin:noop", "--wait");
  await failed;
  expect(deployed.code).toBe(1);
  expect(deployed.stderr).toContain("image_unavailable: The registry does not respond.");
  expect(await elastic("service", "info")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("state: FAILED\n"),
    stderr: expect.stringMatching(
      /^The newest deployment failed: .*The registry does not respond.\nOf the .* none serves;/,
    ),
  });
});

test("reports what the interface refuses with its request id", async () => {
  await createService();
  const early = await elastic("task", "create", "--json", "{}");
  expect(early).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^error: Nothing is deployed to the service yet\. \(request id \S+\)\nRun `elastic deploy /,
    ),
  });
  expect((await elastic("deploy", "--image", "builtin:noop", "--no-wait")).code).toBe(0);
  const late = await elastic("deploy", "--image", "builtin:noop", "--timeout", "0");
  expect(late).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/`elastic deployment info [0-9a-f]{32} --service [0-9a-f]{32}` shows/),
  });
  const starting = await elastic("task", "create", "--json", "{}");
  expect(starting).toMatchObject({ code: 5, stderr: expect.stringContaining("The service is still starting.") });
  const unknown = await elastic("task", "info", "0".repeat(32));
  expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining("There is no such task.") });
  await rm(join(home, ".elastic.json"));
  const badName = await elastic("service", "create", "no spaces");
  expect(badName).toMatchObject({ code: 2, stderr: expect.stringContaining("1 to 63 letters") });
});

test.each([
  [["--min", "200"], "--min: at most 100"],
  [["--env", "PATH=/"], "--env PATH: this name is set by the platform"],
])("a deployment with %j exits with 2 and names the place", async (args, place) => {
  await createService();
  const ran = await elastic("deploy", "--image", "builtin:noop", ...args);
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^error: .*\(request id \S+\)\n$/) });
  expect(ran.stderr).toContain(` ${place}`);
});

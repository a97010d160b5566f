import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiInMemory, startApiInMemory } from "@elastic/test/cluster/api-in-memory.ts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Ran, runBinary } from "./testing/run-binary.ts";
import { type SeenRequest, sendJson, startScriptedServer } from "./testing/scripted-server.ts";

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
});
afterAll(async () => {
  await rm(home, { recursive: true });
  await api[Symbol.asyncDispose]();
});

function elastic(...args: readonly string[]): Promise<Ran> {
  return runBinary(args, { directory: home, env: { ELASTIC_CONFIG_DIR: join(home, "config") } });
}

function withStdin(stdin: string | Buffer, ...args: readonly string[]): Promise<Ran> {
  return runBinary(args, { directory: home, env: { ELASTIC_CONFIG_DIR: join(home, "config") }, stdin });
}

async function create(...args: readonly string[]): Promise<Record<string, unknown>> {
  const ran = await elastic("task", "create", ...args, "--output", "json");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ran.stdout);
}

test("task create --wait comes back with the end of the task, and exits by it", async () => {
  const succeeding = api.endNext(serviceId, { result: "proof" });
  const good = await elastic("task", "create", "--json", "1", "--wait");
  await succeeding;
  expect(good).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^service name: poseidon\ntask id: \S+\nstate: SUCCESS\nresult url: http\S+\n$/),
  });
  const failing = api.endNext(serviceId, { fails: "out_of_memory" });
  const bad = await elastic("task", "create", "--json", "1", "--wait", "--output", "json");
  await failing;
  const [begun = "", ...error] = bad.stderr.split("\n");
  expect([bad.code, JSON.parse(bad.stdout).failure.reason, JSON.parse(error.join("\n")).error.code]).toEqual([
    1,
    "out_of_memory",
    "out_of_memory",
  ]);
  expect(JSON.parse(begun)).toEqual({ task_id: JSON.parse(bad.stdout).task_id });
});

test("task wait says when the task continues, with exit code 5, and how it ended otherwise", async () => {
  const { task_id } = await create("--json", "1");
  const late = await elastic("task", "wait", String(task_id), "--timeout", "1");
  expect(late).toMatchObject({ code: 5, stdout: "" });
  expect(late.stderr).toContain(`The task did not end within 1 s; it continues.\nRun \`elastic task wait ${task_id}\``);
  await elastic("task", "cancel", String(task_id));
  const ended = await elastic("task", "wait", String(task_id));
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("cancelled: The task was cancelled.") });
  expect((await elastic("task", "wait", "0".repeat(32))).code).toBe(4);
});

test("a task is named by the beginning of its id, or as the latest, and completion offers tasks and services", async () => {
  const { task_id } = await create("--json", "1");
  const id = String(task_id);
  for (const given of [id.slice(0, 31), "latest"]) {
    expect((await elastic("task", "info", given)).stdout).toContain(`\ntask id: ${id}\n`);
  }
  const { task_id: next } = await create("--json", "1");
  let common = 0;
  while (id[common] === String(next)[common]) common += 1;
  const ambiguous = await elastic("task", "info", id.slice(0, Math.max(8, common)));
  expect(ambiguous).toMatchObject({ code: 2, stderr: expect.stringContaining(`Give one of: ${next}, ${id}`) });
  const tasks = (await elastic("complete", "--", "task", "info", "")).stdout.split("\n");
  expect(tasks.slice(0, 2)).toEqual([`${next}\tposeidon PENDING`, `${id}\tposeidon PENDING`]);
  expect(tasks.at(-2)).toBe(":4");
  expect((await elastic("complete", "--", "deploy", "--service", "pos")).stdout).toMatch(/^poseidon\tReady\n:4\n$/);
  await elastic("task", "cancel", id.slice(0, 31), "latest");
  expect((await elastic("task", "wait", String(next))).code).toBe(1);
});

test("task create passes priority and an idempotency key on", async () => {
  const first = await create("--json", "1", "--priority", "-3", "--idempotency-key", "nightly");
  expect(first.priority).toBe(-3);
  expect((await create("--json", "1", "--priority", "-3", "--idempotency-key", "nightly")).task_id).toBe(first.task_id);
  const other = await elastic("task", "create", "--json", "2", "--idempotency-key", "nightly");
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("was used for another request") });
});

test("task create sends a file of more than 10 MiB ahead automatically, and a small one with --upload", async () => {
  const large = join(home, "large.json");
  const bytes = 10 * 1024 * 1024 + 1;
  await writeFile(large, `"${"x".repeat(bytes - 2)}"`);
  expect(await create("--file", large)).toMatchObject({ input: null, input_bytes: bytes });
  const small = join(home, "small.json");
  await writeFile(small, ' {"n":1e400}');
  expect(await create("--file", small, "--upload")).toMatchObject({ input: ' {"n":1e400}' });
  expect(await create("--file", small)).toMatchObject({ input: '{"n":1e400}' });
});

test("task create takes as much from stdin", async () => {
  const text = `"${"y".repeat(11 * 1024 * 1024)}"`;
  const ran = await withStdin(text, "task", "create", "--file", "-", "--output", "json");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(ran.stdout)).toMatchObject({ input: null, input_bytes: text.length });
});

test("a large file that is no JSON is refused by the service, with its reason", async () => {
  const file = join(home, "broken.json");
  await writeFile(file, "[".repeat(11 * 1024 * 1024));
  const ran = await elastic("task", "create", "--file", file);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("nested more than 63 levels") });
});

test("task create has the service fetch an input", async () => {
  const server = createServer((_, response) => response.end("[1,2]")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  expect(await create("--input-url", `http://127.0.0.1:${port}/`)).toMatchObject({ input: "[1,2]" });
  server.close();
  const ran = await elastic("task", "create", "--input-url", "http://10.0.0.1/");
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("could not be fetched") });
});

test.each([
  [["--json", "1", "--input-url", "https://x"], "only one of --json, --file and --input-url"],
  [["--json", "1", "--upload"], "--upload goes with --file"],
  [["--json", "1", "--timeout", "5"], "--timeout has no effect without --wait"],
  [["--json", "1", "--priority", "11"], "from -10 to 10"],
  [[], "The input is missing"],
])("task create %j is refused before anything is sent", async (args, message) => {
  expect(await elastic("task", "create", ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test("task list shows tasks by state and phase, as columns or JSON, and says when there are more", async () => {
  const { task_id } = await create("--json", "1");
  const listed = await elastic("task", "list", "--state", "PENDING", "--phase", "queued", "--limit", "1");
  expect(listed.stdout).toMatch(
    new RegExp(`^TASK ID +SERVICE +STATE +PHASE +CREATED +FINISHED\n${task_id}  poseidon  PENDING  queued  \\S+  -\n$`),
  );
  expect(listed.stderr).toMatch(/^1 of \d+; --limit shows more.\n$/);
  const json = await elastic("task", "list", "--service", serviceId, "--limit", "1000", "--json");
  const items = JSON.parse(json.stdout) as readonly { readonly task_id: string }[];
  expect(items[0]?.task_id).toBe(task_id);
  const future = await elastic("task", "list", "--after", "2999-01-01T00:00:00", "--json");
  expect(JSON.parse(future.stdout)).toEqual([]);
  expect((await elastic("task", "list", "--after", "yesterday")).stderr).toBe(
    "error: option '--after <time>' argument 'yesterday' is invalid. Give it as in 2026-11-20T00:00:00, in UTC.\n" +
      "Add --help to see the options and examples.\n",
  );
  for (const args of [
    ["--state", "done"],
    ["--limit", "0"],
  ]) {
    expect([args, (await elastic("task", "list", ...args)).code]).toEqual([args, 2]);
  }
});

test("a service is named by its name, unless two have it; what the team does not have is not found", async () => {
  const { task_id } = await create("--json", "1", "--service", "poseidon");
  const list = (...args: readonly string[]) => elastic("task", "list", "--limit", "1", ...args);
  expect((await list("--service", "poseidon")).stdout).toContain(String(task_id));
  expect((await elastic("service", "info", "--service", "poseidon")).stdout).toContain(`service id: ${serviceId}\n`);
  expect(await list("--service", "nobody")).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^error: The team has no service named nobody\.\nRun `elastic service list` /),
  });
  expect(await list("--service", "0".repeat(32))).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("There is no such service."),
  });
  const twinId = await api.addTwin(serviceId);
  const both = await elastic("task", "list", "--service", "poseidon");
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining(`its id: ${twinId}, ${serviceId}.`) });
  expect((await elastic("service", "delete", "--service", twinId, "--yes")).code).toBe(0);
});

test("usage is shown by service, and by day", async () => {
  const ended = api.endNext(serviceId, { result: "1" });
  const { task_id } = await create("--json", "1");
  await ended;
  await elastic("task", "wait", String(task_id));
  const used = await elastic("usage");
  expect(used.stdout).toMatch(/^SERVICE +SUCCESS +FAILED +OTHERS +GPU SECONDS +SLOT SECONDS\nposeidon +[1-9]\d* /);
  const days = JSON.parse((await elastic("usage", "--by-day", "--json")).stdout);
  expect(days).toContainEqual(expect.objectContaining({ service_name: "poseidon", service_id: serviceId }));
  const none = await elastic("usage", "--after", "2020-01-01T00:00:00", "--before", "2020-01-02T00:00:00");
  expect(none.stdout).toBe("No tasks ended in that time.\n");
});

test("task cancel ends what is named, says what had ended, and fails where something is not found", async () => {
  const ids = [(await create("--json", "1")).task_id, (await create("--json", "1")).task_id].map(String);
  const cancelled = await elastic("task", "cancel", ...ids);
  expect(cancelled).toMatchObject({ code: 0, stdout: "2 tasks are cancelled.\n", stderr: "" });
  const again = await elastic("task", "cancel", ids[0] ?? "", "0".repeat(32), "--json");
  expect(JSON.parse(again.stdout)).toEqual({ cancelled: 1, ended: 0, not_found: 1, remaining: 0 });
  expect([again.code, JSON.parse(again.stderr).error.code]).toEqual([4, "not_found"]);
});

test("task cancel --all-of-service leaves none open", async () => {
  await create("--json", "1");
  const ran = await elastic("task", "cancel", "--all-of-service");
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+ tasks? (is|are) cancelled\.\n$/) });
  const left = await elastic("task", "list", "--service", serviceId, "--state", "PENDING", "--json");
  expect(JSON.parse(left.stdout)).toEqual([]);
});

test.each([[[]], [["0".repeat(32), "--all-of-service"]], [["0".repeat(32), "--service", "x"]]])(
  "task cancel %j does not say clearly what",
  async (args) => {
    expect((await elastic("task", "cancel", ...args)).code).toBe(2);
  },
);

test("task batch makes a task of each line, in as many requests as it takes, and the same key makes them once", async () => {
  const inputs = Array.from({ length: 1_001 }, (_, n) => `{ "n": ${n}.0 }`);
  const file = join(home, "inputs.jsonl");
  await writeFile(file, `${inputs.join("\n")}\n\n`);
  const ran = await elastic("task", "batch", "--file", file, "--priority", "2", "--idempotency-key", "night");
  expect(ran.code).toBe(0);
  const ids = ran.stdout.trim().split("\n");
  expect(new Set(ids).size).toBe(1_001);
  for (const n of [0, 999, 1_000]) {
    const { stdout } = await elastic("task", "info", ids[n] ?? "", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ input: inputs[n], priority: 2 });
  }
  const again = await elastic(
    "task",
    "batch",
    "--file",
    file,
    "--priority",
    "2",
    "--idempotency-key",
    "night",
    "--json",
  );
  expect(JSON.parse(again.stdout)).toMatchObject({
    task_ids: ids,
    batch_ids: [expect.any(String), expect.any(String)],
  });

  await writeFile(file, `${inputs.join("\n")}\n1\n`);
  const changed = await elastic("task", "batch", "--file", file, "--priority", "2", "--idempotency-key", "night");
  expect(changed.code).not.toBe(0);
  expect(changed.stderr).toMatch(/others than those that were sent with --idempotency-key night before/);
  expect(changed.stderr).toMatch(/Put lines that were added into another file, and send that with another key\./);
  expect(changed.stderr).not.toMatch(/Run it again|use a new one/);
});

describe("task batch whose second request", () => {
  const inputs = Array.from({ length: 1_002 }, (_, n) => `{ "n": ${n} }`);
  const secondOf = ({ headers }: SeenRequest) => String(headers["idempotency-key"]).endsWith("-1");
  const isBatch = ({ method, path }: SeenRequest) => method === "POST" && path.endsWith("/batch");
  const quota = {
    code: "quota_exceeded",
    title: "Too Many Requests",
    status: 429,
    detail: "There may be 1,000 queued tasks.",
  };

  test.each<
    [
      what: string,
      code: number,
      message: string,
      fail: (response: ServerResponse, passOn: () => Promise<void>) => unknown,
    ]
  >([
    ["is refused for a quota", 1, "There may be 1,000 queued tasks.", (response) => sendJson(response, 429, quota)],
    [
      "is accepted while its response is lost",
      5,
      "Could not reach",
      (response, passOn) => passOn().then(() => response.destroy()),
    ],
  ])(
    "%s prints what was created and names the rest, and the same key completes it without doubles",
    async (what, code, message, fail) => {
      const file = join(home, "partial.jsonl");
      await writeFile(file, `${inputs.join("\n\n")}\n`);
      const passing = await startScriptedServer((request, response) => {
        const passOn = () => forward(request);
        if (isBatch(request) && secondOf(request)) return fail(response, async () => void (await passOn()));
        return passOn().then(({ status, body }) =>
          response.writeHead(status, { "content-type": "application/json" }).end(body),
        );
      });
      onTestFinished(() => passing.stop());
      const command = ["task", "batch", "--file", file, "--idempotency-key", what.replaceAll(" ", "-")];
      const env = { ELASTIC_CONFIG_DIR: join(home, "config"), ELASTIC_URL: passing.url, ELASTIC_API_KEY: api.key };
      const ran = await runBinary([...command, "--service", serviceId], { directory: home, env });
      expect(ran).toMatchObject({ code, stderr: expect.stringContaining(message) });
      const created = ran.stdout.trim().split("\n");
      expect(new Set(created).size).toBe(1_000);
      expect(ran.stderr).toContain(
        `1000 of 1002 tasks were created, and have their ids above. No task is known of lines 2001 to 2003 of ${file}. ` +
          `Run it again with --idempotency-key ${command.at(-1)} and the same inputs`,
      );
      const before = await taskCount();
      const again = await elastic(...command);
      const ids = again.stdout.trim().split("\n");
      expect([again.code, ids.slice(0, 1_000), new Set(ids).size]).toEqual([0, created, 1_002]);
      // Those of a response that was lost are there already.
      expect((await taskCount()) - before).toBe(code === 5 ? 0 : 2);
    },
  );

  async function forward({ method, path, headers, body }: SeenRequest): Promise<{ status: number; body: string }> {
    const passed = Object.entries(headers).filter(([name]) =>
      ["x-api-key", "idempotency-key", "content-type", "x-team"].includes(name),
    );
    const init = { method, headers: Object.fromEntries(passed) as Record<string, string> };
    const response = await fetch(api.url + path, body.length === 0 ? init : { ...init, body: new Uint8Array(body) });
    return { status: response.status, body: await response.text() };
  }

  async function taskCount(): Promise<number> {
    const response = await fetch(`${api.url}/v1/tasks?size=1`, { headers: { "x-api-key": api.key } });
    return ((await response.json()) as { readonly total: number }).total;
  }
});

test.each([
  ["1\n{]\n", "The input in line 2 of stdin is not JSON"],
  ["\n \n", "There are no inputs in stdin."],
])("task batch refuses %j before anything is sent", async (stdin, message) => {
  const ran = await withStdin(stdin, "task", "batch", "--file", "-");
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("task batch names a line that is too large before anything is sent", async () => {
  const large = `${"1\n".repeat(1_001)}"${"a".repeat(10 * 1024 * 1024)}"\n`;
  const ran = await withStdin(large, "task", "batch", "--file", "-");
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("The input in line 1002 of stdin is larger than 10485760 bytes. Nothing was created.");
});

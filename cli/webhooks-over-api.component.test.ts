import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiInMemory, startApiInMemory } from "@elastic/test/cluster/api-in-memory.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ran, runBinary } from "./testing/run-binary.ts";
import { sendJson, startScriptedServer } from "./testing/scripted-server.ts";

let api: ApiInMemory;
let home: string;

beforeEach(async () => {
  api = await startApiInMemory();
  home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
});
afterEach(async () => {
  await rm(home, { recursive: true });
  await api[Symbol.asyncDispose]();
});

function elasticAt(url: string, ...args: readonly string[]): Promise<Ran> {
  const env = { ELASTIC_CONFIG_DIR: join(home, "config"), ELASTIC_URL: url, ELASTIC_API_KEY: api.key };
  return runBinary(args, { directory: home, env });
}

const elastic = (...args: readonly string[]) => elasticAt(api.url, "webhook", ...args);

test("a webhook is made with a secret, listed and changed", async () => {
  expect((await elasticAt(api.url, "service", "create", "prover")).code).toBe(0);
  const made = await elastic("create", "results", "https://hooks.example/in", "--types", "task.succeeded, task.failed");
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("The secret is shown once.") });
  const id = /^webhook id: ([0-9a-f]{32})$/m.exec(made.stdout)?.[1] ?? "";
  expect(made.stdout).toMatch(/^types: task\.succeeded, task\.failed$/m);
  expect(made.stdout).toMatch(/^secret: whsec_\S+$/m);

  expect((await elastic("list")).stdout).toBe(
    [
      "WEBHOOK ID                        NAME     STATE    URL",
      `${id}  results  enabled  https://hooks.example/in`,
      "",
    ].join("\n"),
  );
  const changed = await elastic("update", id, "--name", "all results", "--types", "all", "--disable", "--json");
  expect(changed).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(changed.stdout)).toMatchObject({ name: "all results", types: null, enabled: false });
  expect((await elastic("info", id)).stdout).toMatch(/^state: disabled$/m);
});

test("a webhook is given a new secret, and deleted", async () => {
  expect((await elasticAt(api.url, "service", "create", "prover")).code).toBe(0);
  const made = JSON.parse((await elastic("create", "results", "https://hooks.example/in", "--json")).stdout);
  const id: string = made.webhook_id;
  const rotated = await elastic("rotate", id);
  expect(rotated.stdout).toMatch(/^whsec_\S+\n$/);
  expect(rotated.stdout).not.toContain(made.secret);
  expect((await elastic("deliveries", id)).stdout).toBe("The webhook has no deliveries.\n");
  expect(await elastic("delete", id, "--yes")).toMatchObject({ code: 0, stdout: `Deleted ${id}.\n` });
  expect(await elastic("info", id)).toMatchObject({ code: 4, stderr: expect.stringContaining("no such webhook") });
  expect((await elastic("list")).stdout).toBe("The service has no webhooks.\n");
});

test("reports in a line what is invalid", async () => {
  expect((await elasticAt(api.url, "service", "create", "prover")).code).toBe(0);
  const failure = async (...args: readonly string[]) => {
    const { code, stderr } = await elastic(...args);
    return [code, stderr.split("\n")[0]];
  };
  const [code, line] = await failure("create", "n", "https://10.0.0.1/");
  expect([code, line]).toEqual([2, expect.stringContaining("The URL leads to an address that is not public")]);
  expect(await failure("create", "n", "https://hooks.example/", "--types", ",")).toEqual([
    2,
    "error: --types names no type.",
  ]);
  const wrongType = await failure("create", "n", "https://hooks.example/", "--types", "task.done");
  expect(wrongType).toEqual([2, expect.stringContaining("types/0")]);
  expect(await failure("update", "0".repeat(32))).toEqual([2, "error: There is nothing to change."]);
});

test("a test event says whether the receiver took it, and a script learns it from the exit code", async () => {
  const delivery = { delivery_id: "d".repeat(32), drop_reason: null, state: "pending", attempts: [] as object[] };
  const attempt = { at: "2026-11-21T10:00:00", duration_ms: 12, status: 200, error: null as string | null };
  let outcome = { state: "delivered", attempts: [attempt] };
  let polls = 0;
  const server = await startScriptedServer(({ method }, response) => {
    if (method === "POST") return sendJson(response, 202, delivery);
    return sendJson(response, 200, polls++ === 0 ? delivery : { ...delivery, ...outcome });
  });
  const run = () => elasticAt(server.url, "webhook", "test", "a".repeat(32));
  expect(await run()).toMatchObject({ code: 0, stdout: "Delivered: status 200 after 12 ms.\n" });
  outcome = { state: "failed", attempts: [{ ...attempt, status: 307, error: "redirected" }] };
  expect(await run()).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("error: The receiver did not accept it: status 307, redirected after 12 ms.\n"),
  });
  await server.stop();
});

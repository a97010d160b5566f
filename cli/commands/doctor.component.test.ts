import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runBinary } from "../testing/run-binary.ts";
import { type ScriptedServer, sendJson, startScriptedServer } from "../testing/scripted-server.ts";

let directory: string;
let server: ScriptedServer;
let isReady = true;
let keyIsGood = true;
let hasRegistry = true;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "elastic-doctor-"));
  server = await startScriptedServer(({ path }, response) => {
    if (path === "/readyz") sendJson(response, isReady ? 200 : 503, {});
    else if (path === "/v1/registry" && hasRegistry)
      sendJson(response, 200, { host: "images.example", repository_prefix: "t" });
    else if (path === "/v1/registry") sendJson(response, 404, { detail: "None.", code: "no_registry" });
    else if (keyIsGood) sendJson(response, 200, { items: [{ team_id: "aa", name: "research" }], pages: 1 });
    else sendJson(response, 401, { detail: "The key was revoked.", code: "unauthenticated" });
  });
  isReady = true;
  keyIsGood = true;
});
afterEach(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

async function levels(env: Record<string, string> = {}): Promise<Record<string, string>> {
  const surroundings = { ELASTIC_CONFIG_DIR: directory, ELASTIC_URL: server.url, ELASTIC_API_KEY: "eps_key", ...env };
  const { stdout } = await runBinary(["doctor", "--json"], { directory, env: surroundings });
  const { checks } = JSON.parse(stdout) as { checks: { name: string; level: string }[] };
  return Object.fromEntries(checks.map(({ name, level }) => [name, level]));
}

test("a service that is ready and takes the key is found to be well", async () => {
  expect(await levels()).toMatchObject({ node: "ok", login: "ok", service: "ok", clock: "ok", key: "ok" });
});

test("an engine or a registry that is absent is a warning that says what needs it", async () => {
  const nowhere = { DOCKER_HOST: `unix://${directory}/none.sock` };
  hasRegistry = false;
  expect(await levels(nowhere)).toMatchObject({ engine: "warn", registry: "warn", key: "ok" });
  hasRegistry = true;
  expect(await levels(nowhere)).toMatchObject({ registry: "ok" });
  const env = { ELASTIC_CONFIG_DIR: directory, ELASTIC_URL: server.url, ELASTIC_API_KEY: "eps_key", ...nowhere };
  const { code, stdout } = await runBinary(["doctor"], { directory, env });
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/engine .*No container engine responds[\s\S]*elastic build/),
  ]);
});

test("cargo that rustup installed outside of PATH is found, with the line that puts it there", async () => {
  const env = { ELASTIC_CONFIG_DIR: directory, PATH: "", CARGO_HOME: join(directory, "cargo") };
  const cargo = async () => {
    const { stdout } = await runBinary(["doctor", "--json"], { directory, env });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; finding: string; remedy: string }[] };
    return checks.find(({ name }) => name === "cargo");
  };
  expect(await cargo()).toMatchObject({ finding: "not found" });
  await mkdir(join(directory, "cargo", "bin"), { recursive: true });
  await writeFile(join(directory, "cargo", "bin", "cargo"), "#!/bin/sh\necho cargo 1.2.3\n", { mode: 0o755 });
  expect(await cargo()).toMatchObject({
    finding: `cargo 1.2.3 is in ${directory}/cargo/bin, which is not in PATH`,
    remedy: `Run \`. "${directory}/cargo/env"\` in this shell.`,
  });
});

test("a key with an invalid character is reported without its text, and sent nowhere", async () => {
  const env = { ELASTIC_CONFIG_DIR: directory, ELASTIC_URL: server.url, ELASTIC_API_KEY: "eps_secr\u00e9t key" };
  for (const args of [["doctor"], ["team", "list"], ["login"]]) {
    const { stdout, stderr } = await runBinary(args, { directory, env });
    expect(stdout + stderr).toContain("The API key in ELASTIC_API_KEY has characters that no key has");
    expect(stdout + stderr).not.toContain("secr");
  }
  expect(server.seen).toEqual([]);
});

test("what is amiss is named where it is, and the command fails", async () => {
  isReady = false;
  expect(await levels()).toMatchObject({ service: "fail", key: "ok" });
  isReady = true;
  keyIsGood = false;
  expect(await levels()).toMatchObject({ service: "ok", key: "fail" });
  expect(await levels({ ELASTIC_URL: "http://127.0.0.1:1" })).toMatchObject({ service: "fail" });
  await writeFile(join(directory, ".elastic.json"), "junk");
  expect(await levels({ ELASTIC_API_KEY: "" })).toMatchObject({ login: "fail", directory: "fail" });
  const { code, stderr } = await runBinary(["doctor"], { directory, env: { ELASTIC_CONFIG_DIR: directory } });
  expect([code, stderr]).toEqual([1, expect.stringContaining("amiss")]);
});

/** The program as a separate process, on a real etcd. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { afterAll, beforeAll, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
/** Several starts of the program, one after the other. */
const SLOWLY = { timeout: 120_000 };

let etcd: Etcd;
let dir: string;

beforeAll(async () => {
  etcd = await startEtcd();
  dir = mkdtempSync(join(tmpdir(), "coordinator-"));
});
afterAll(async () => {
  await etcd[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function settings(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    ...COMPILE_CACHE,
    ELASTIC_ETCD: etcd.endpoint,
    ELASTIC_ROLES: "http",
    ELASTIC_HTTP_LISTEN: "127.0.0.1:0",
    ELASTIC_METRICS_LISTEN: "127.0.0.1:0",
    ELASTIC_BLOBS_DIR: join(dir, "blobs"),
    ELASTIC_ARCHIVE: `sqlite:${join(dir, "archive.db")}`,
    ELASTIC_SECRETS_KEY_FILE: join(dir, "keys"),
    ELASTIC_SHUTDOWN_DELAY: "0",
    ...more,
  };
}

/** Runs it to its end. */
function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

interface Serving {
  readonly child: ChildProcess;
  readonly http: string;
  readonly metrics: string;
  readonly exited: Promise<number | null>;
}

/** Starts it and waits for the line that says it is ready. */
function serve(env: Readonly<Record<string, string>>): Promise<Serving> {
  const child = spawn(process.execPath, [MAIN, "serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise<number | null>((done) => child.once("exit", done));
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const record = JSON.parse(line);
      if (record.msg === "ready") resolve({ child, exited, http: record.http, metrics: record.metrics });
    });
    void exited.then((code) => reject(new Error(`it exited with ${code}`)));
  });
}

test("logs an unexpected error that ends the coordinator, and exits with code 1", async () => {
  const fault = 'process.on("SIGUSR2", () => { throw new Error("odd"); });';
  const env = settings({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` });
  const { child, exited } = await serve(env);
  const lines: string[] = [];
  createInterface({ input: child.stdout as Readable }).on("line", (line) => lines.push(line));
  child.kill("SIGUSR2");
  expect(await exited).toBe(1);
  await expect
    .poll(() => lines.map((line) => JSON.parse(line)))
    .toContainEqual(expect.objectContaining({ level: 60, msg: expect.stringMatching(/must be started again/) }));
});

test("the first key is made once, and opens the API of a coordinator that then stops on SIGTERM", async () => {
  const first = await run(["bootstrap", "--user", "ada", "--team", "research", "--json"], settings());
  expect([first.code, first.stderr]).toEqual([0, ""]);
  const { key, team_id } = JSON.parse(first.stdout);
  const second = await run(["bootstrap", "--user", "eve", "--team", "research"], settings());
  expect([second.code, second.stdout]).toEqual([1, ""]);
  expect(second.stderr).toMatch(/^elastic-coordinator: this store has its first user already.*\n$/);

  const serving = await serve(settings());
  const teams = await fetch(`${serving.http}/v1/teams`, { headers: { "x-api-key": key } });
  expect(await teams.json()).toMatchObject({ items: [{ team_id, name: "research" }] });
  expect((await fetch(`${serving.http}/readyz`)).status).toBe(200);
  expect(await (await fetch(serving.metrics)).text()).toContain("elastic_store_view_age_seconds");
  serving.child.kill("SIGTERM");
  expect(await serving.exited).toBe(0);
});

test("after SIGTERM it is unready and serves, until the delay is over", async () => {
  const { child, http, exited } = await serve(settings({ ELASTIC_SHUTDOWN_DELAY: "2" }));
  child.kill("SIGTERM");
  const statusOf = async (path: string) => (await fetch(`${http}${path}`)).status;
  await expect.poll(() => statusOf("/readyz"), { interval: 10 }).toBe(503);
  expect(await statusOf("/healthz")).toBe(200);
  expect(await exited).toBe(0);
});

test("creates teams, users and keys for an operator, and says in one line what cannot be created", async () => {
  const output = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run([...args, "--json"], settings());
    expect([args, code, stderr]).toEqual([args, 0, ""]);
    return JSON.parse(stdout);
  };
  const refused = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(args, settings());
    expect([args, stdout, stderr.trim().split("\n").length]).toEqual([args, "", 1]);
    return { code, stderr };
  };
  const studio = await output("team", "create", "--name", "studio");
  const grace = await output("user", "create", "--name", "grace", "--team", "studio", "--role", "owner");
  expect(await refused("user", "create", "--name", "x", "--team", "nowhere")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("`team list` shows them"),
  });
  expect((await refused("user", "delete", "--user", "grace", "--yes")).stderr).toContain("would have no owner");
  const joan = await output("user", "create", "--name", "joan", "--team", "studio");
  expect((await refused("user", "delete", "--user", "joan")).stderr).toContain("give --yes");
  const gone = { user_id: joan.user_id, name: "joan", deleted: true };
  expect(await output("user", "delete", "--user", "joan", "--yes")).toEqual(gone);
  expect((await refused("user", "delete", "--user", "joan", "--yes")).stderr).toContain("there is no user");
  expect(await output("team", "list")).toContainEqual({ ...studio, members: 1, owners: 1 });
  expect(await output("user", "list")).toContainEqual({
    user_id: grace.user_id,
    name: "grace",
    teams: [{ ...studio, role: "owner" }],
  });
  const narrow = ["--scopes", "tasks:read,keys", "--team", "studio", "--expires", "3600"];
  const key = await output("key", "create", "--user", "grace", ...narrow);
  expect(key).toMatchObject({ user_id: grace.user_id, team_id: studio.team_id, scopes: ["tasks:read", "keys"] });
  expect(await refused("key", "create", "--user", "grace", "--scopes", "all")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Give some of tasks:read"),
  });

  const serving = await serve(settings());
  for (const text of [grace.key, key.key]) {
    const teams = await fetch(`${serving.http}/v1/teams`, { headers: { "x-api-key": text } });
    expect(await teams.json()).toMatchObject({ items: [{ team_id: studio.team_id, name: "studio", role: "owner" }] });
  }
  const log = await fetch(`${serving.http}/v1/teams/${studio.team_id}/audit`, { headers: { "x-api-key": key.key } });
  expect(await log.json()).toMatchObject({
    items: [
      { action: "key create", object: { kind: "key" }, user_id: null, credential: { kind: "operator" } },
      { action: "user delete", object: { kind: "member", id: joan.user_id }, user_id: null },
      { action: "user create", object: { kind: "user", name: "joan" } },
      { action: "user create", object: { kind: "user", name: "grace" } },
      { action: "team create", object: { kind: "team", name: "studio" } },
    ],
  });
  serving.child.kill("SIGTERM");
  await serving.exited;
});

test("the registry's certificate is printed of the coordinators' own key file, and of no other", async () => {
  writeFileSync(join(dir, "master"), `${"11".repeat(32)}\n${"22".repeat(32)}\n`);
  const printed = await run(["registry-cert", "--secrets-key-file", join(dir, "master")], {});
  expect(printed).toMatchObject({ code: 0, stderr: "" });
  const certificates = printed.stdout.trimEnd().split(/(?<=END CERTIFICATE-----)\n/);
  const names = certificates.map((pem) => new X509Certificate(pem).subject);
  expect(new Set(names).size).toBe(2);
  const missing = await run(["registry-cert"], { ELASTIC_SECRETS_KEY_FILE: join(dir, "nowhere") });
  expect(missing).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^.*nowhere.*\n$/) });
  expect(existsSync(join(dir, "nowhere"))).toBe(false);
});

test("it refuses to start, in one line, on settings that cannot work", async () => {
  const refused = async (env: Record<string, string>) => {
    const { code, stderr } = await run(["serve"], settings(env));
    expect(stderr).toMatch(/^elastic-coordinator: .*\n$/);
    return `${code} ${stderr}`;
  };
  expect(await refused({ ELASTIC_HTTP_LISTEN: "8080" })).toMatch(/^2 .*ELASTIC_HTTP_LISTEN/);
  expect(await refused({ ELASTIC_ROLES: "", ELASTIC_TLS_KEY: "/no/key" })).toMatch(/^2 .*ELASTIC_TLS_CA/);
  const certificates = { ELASTIC_TLS_CA: "/no/ca", ELASTIC_TLS_CERT: "/no/cert", ELASTIC_TLS_KEY: "/no/key" };
  expect(await refused({ ELASTIC_ROLES: "", ...certificates })).toContain("/no/");
  expect(await refused({ ELASTIC_ETCD: "http://127.0.0.1:1" })).toMatch(
    /^1 .*etcd did not respond.*Start etcd, or name/,
  );
  const { stdout } = await run(["serve"], settings({ ELASTIC_ETCD: "http://127.0.0.1:1" }));
  expect(stdout).not.toContain("stack");
  const foreign = mkdtempSync(join(dir, "foreign-"));
  writeFileSync(join(foreign, "store-id"), "another\n");
  expect(await refused({ ELASTIC_BLOBS_DIR: foreign })).toContain("holds the blobs of store another");
});

test("names the setting when another program listens at its address", SLOWLY, async () => {
  const taken = new URL(etcd.endpoint).host;
  for (const [setting, flag] of [
    ["ELASTIC_HTTP_LISTEN", "--http-listen"],
    ["ELASTIC_GRPC_LISTEN", "--grpc-listen"],
    ["ELASTIC_METRICS_LISTEN", "--metrics-listen"],
  ] as const) {
    const said = `elastic-coordinator: ${setting} (${flag}) names ${taken}, and another program listens there: stop it`;
    const own = { ELASTIC_ROLES: "", ELASTIC_GRPC_LISTEN: "127.0.0.1:0", [setting]: taken };
    expect(await run(["serve"], settings(own))).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
  }
});

test("a line that was put wrongly ends with 2, as those of elastic do, and help with 0", SLOWLY, async () => {
  for (const args of [["serve", "--nothing"], ["user"], ["token", "create", "--ttl", "ever"]]) {
    expect([args, await run(args, {})]).toMatchObject([
      args,
      { code: 2, stdout: "", stderr: expect.stringMatching(/./) },
    ]);
  }
  expect(await run(["user", "--help"], {})).toMatchObject({ code: 0, stderr: "" });
});

test("refuses a second coordinator with another archive, until that is made the store's", async () => {
  const { code, stderr } = await run(["serve"], settings({ ELASTIC_ARCHIVE: `sqlite:${join(dir, "second.db")}` }));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^elastic-coordinator: this store's history is in another archive .* configure PostgreSQL/);
  const places = ["--copy-from", `sqlite:${join(dir, "archive.db")}`, "--archive", `sqlite:${join(dir, "second.db")}`];
  const changed = await run(["use-archive", ...places], settings());
  expect([changed.code, changed.stdout]).toEqual([0, expect.stringContaining("Start the coordinators with")]);
  const refused = await run(["use-archive", ...places.with(3, "mysql://db")], settings());
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^elastic-coordinator: "mysql:.*\n$/)]);
  const serving = await serve(settings({ ELASTIC_ARCHIVE: `sqlite:${join(dir, "second.db")}` }));
  serving.child.kill("SIGTERM");
  expect(await serving.exited).toBe(0);
});

test(
  "rotates the master key and refuses the authority's steps by its commands, with exit codes 0, 1 and 2",
  SLOWLY,
  async () => {
    // No other key file serves a store whose key was rotated.
    await using own = await startEtcd();
    const env = settings({ ELASTIC_ETCD: own.endpoint, ELASTIC_SECRETS_KEY_FILE: join(dir, "rotated-keys") });
    const absent = await run(["secrets", "status"], env);
    expect([absent.code, absent.stdout]).toEqual([2, ""]);
    expect(absent.stderr).toMatch(
      /there is no .*rotated-keys: name the coordinators' key file.* Nothing was changed\n$/,
    );
    writeFileSync(join(dir, "rotated-keys"), `${"ab".repeat(32)}\n`, { mode: 0o600 });

    const staged = await run(["secrets", "rotate"], env);
    expect([staged.code, staged.stderr]).toEqual([0, ""]);
    expect(staged.stdout).toMatch(
      /^Staged: key [0-9a-f]{8} is the second one in .*\nNext: elastic-coordinator secrets promote\n$/s,
    );
    const status = await run(["secrets", "status", "--json"], env);
    const { keys, phase, next_step, refused } = JSON.parse(status.stdout);
    expect({ keys, phase, next_step, refused }).toEqual({
      keys: [expect.any(String), expect.any(String)],
      phase: "staged",
      next_step: "promote",
      refused: null,
    });
    const promoted = await run(["secrets", "rotate", "--json"], env);
    expect(JSON.parse(promoted.stdout)).toMatchObject({ step: "promote", keys: [keys[1], keys[0]] });
    const early = await run(["secrets", "rotate"], env);
    expect([early.code, early.stdout]).toEqual([1, ""]);
    expect(early.stderr).toMatch(/links to results until .*--now. Nothing was changed\n$/);
    const retired = await run(["secrets", "rotate", "--now"], env);
    expect([retired.code, retired.stdout]).toEqual([0, expect.stringContaining(`key ${keys[1]} is the only one`)]);

    const authority = await run(["authority", "stage"], env);
    expect([authority.code, authority.stderr]).toEqual([
      1,
      expect.stringMatching(/this store has no authority: .* Nothing was changed\n$/),
    ]);
    expect((await run(["authority", "stage", "--wait", "soon"], env)).code).toBe(2);
  },
);

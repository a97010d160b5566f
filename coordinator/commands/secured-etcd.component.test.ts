/** The program as a separate process, on an etcd of three members with mutual TLS and authentication. */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import type { Check } from "@elastic/std/check.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readKeyFile } from "../secrets/key-file.ts";
import { type SecuredEtcd, startSecuredEtcd } from "../store/testing/secured-etcd.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const SLOWLY = { timeout: 60_000 };

let etcd: SecuredEtcd;

beforeAll(async () => {
  etcd = await startSecuredEtcd();
}, 60_000);
afterAll(() => etcd[Symbol.asyncDispose]());

function settings(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { access, cluster } = etcd;
  return {
    ...COMPILE_CACHE,
    ELASTIC_ETCD: cluster.endpoints.join(",").replaceAll("127.0.0.1", "localhost"),
    ELASTIC_ETCD_CA: access.files.ca,
    ELASTIC_ETCD_CERT: access.files.cert,
    ELASTIC_ETCD_KEY: access.files.key,
    ELASTIC_ETCD_USER: access.user ?? "",
    ELASTIC_ETCD_PASSWORD_FILE: access.files.passwordFile,
    ELASTIC_ROLES: "http",
    ELASTIC_HTTP_LISTEN: "127.0.0.1:0",
    ELASTIC_METRICS_LISTEN: "127.0.0.1:0",
    ELASTIC_BLOBS_DIR: join(cluster.folder, "blobs"),
    ELASTIC_ARCHIVE: `sqlite:${join(cluster.folder, "archive.db")}`,
    ELASTIC_SECRETS_KEY_FILE: join(cluster.folder, "keys"),
    ...more,
  };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

test("serves there, and continues while one member is down", SLOWLY, async () => {
  const made = await run(["bootstrap", "--user", "ada", "--team", "lovelace", "--json"], settings());
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const child = spawn(process.execPath, [MAIN, "serve"], { env: settings(), stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const address = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const record = JSON.parse(line) as { readonly msg: string; readonly http?: string };
      if (record.msg === "ready") resolve(record.http ?? "");
    });
  });
  const url = new URL("/v1/services", address.startsWith("http") ? address : `http://${address}`);
  const { key } = JSON.parse(made.stdout) as { readonly key: string };
  const list = async () => (await fetch(url, { headers: { "x-api-key": key } })).status;
  expect(await list()).toBe(200);
  const [member] = etcd.cluster.members;
  await member?.kill();
  await expect.poll(list, { timeout: 15_000 }).toBe(200);
  expect(await run(["team", "list"], settings())).toMatchObject({ code: 0, stderr: "" });
  await member?.start();
  const { checks } = JSON.parse((await run(["doctor", "--json"], settings())).stdout) as { readonly checks: Check[] };
  const finding = expect.stringMatching(/^coordinator [0-9a-f]{32}: no other clock is known$/);
  expect(checks).toContainEqual({ name: "clocks", level: "ok", finding, remedy: "" });
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
});

test("backs up the store there, and restores it", SLOWLY, async () => {
  const { folder } = etcd.cluster;
  const json = async <T>(...args: readonly string[]) => {
    const { code, stdout, stderr } = await run([...args, "--json"], settings());
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout) as T;
  };
  readKeyFile(join(folder, "keys"));
  const keyFile = join(folder, "backup.key");
  const { recipient } = await json<{ readonly recipient: string }>("backup-key", "--out", keyFile);
  const { name } = await json<{ readonly name: string }>("backup", "--to", folder, "--recipient", recipient);
  expect(await json("restore", join(folder, name), "--identity", keyFile)).toMatchObject({
    epoch: 2,
    keys_disabled: false,
  });
  expect(await json("team", "list")).toMatchObject([{ name: "lovelace" }]);
});

test("says in one sentence what to do about credentials that cannot work", SLOWLY, async () => {
  const refused = async (command: readonly string[], env: Record<string, string>) => {
    const { code, stderr } = await run(command, settings(env));
    expect(stderr).toMatch(/^elastic-coordinator: .*\n$/);
    return `${code} ${stderr}`;
  };
  const wrong = join(etcd.cluster.folder, "wrong");
  writeFileSync(wrong, "wrong");
  const password = { ELASTIC_ETCD_PASSWORD_FILE: wrong };
  expect(await refused(["serve"], password)).toMatch(/^1 .*etcd rejects the user or the password .*: correct/);
  expect(await refused(["team", "list"], password)).toMatch(/^1 .*etcd rejects the user or the password .*: correct/);
  const other = etcd.cluster.ca.client("other");
  expect(await refused(["serve"], { ELASTIC_ETCD_KEY: other.key })).toMatch(
    /^1 .*ELASTIC_ETCD_KEY: .* does not belong/,
  );
  expect(await refused(["serve"], { ELASTIC_ETCD_CA: "/no/ca" })).toMatch(
    /^1 .*ELASTIC_ETCD_CA: \/no\/ca does not exist/,
  );
  expect(await refused(["serve"], { ELASTIC_ETCD_CA: "" })).toMatch(/^1 .*certificate is of another authority .*: set/);
});

test("doctor passes what works, and names what does not with what to do", SLOWLY, async () => {
  const doctor = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await run(["doctor", "--json"], settings(env));
    expect(stderr).toBe("");
    const { healthy, checks } = JSON.parse(stdout) as { readonly healthy: boolean; readonly checks: readonly Check[] };
    expect(code).toBe(healthy ? 0 : 1);
    return checks;
  };
  const well = await doctor({});
  expect(well.filter(({ level }) => level !== "ok")).toEqual([]);
  const names = [
    "settings",
    "etcd",
    "size",
    "compaction",
    "clock",
    "certificate",
    "store",
    "schema",
    "identity",
    "alarms",
    "blobs",
    "room",
    "archive",
  ];
  expect(new Set(well.map(({ name }) => name))).toEqual(new Set(names));
  expect(well.filter(({ name }) => name === "etcd")).toHaveLength(3);

  const known = JSON.parse(readFileSync(join(etcd.cluster.folder, "store-identity.json"), "utf8")) as object;
  const newer = join(etcd.cluster.folder, "newer-identity.json");
  writeFileSync(newer, JSON.stringify({ ...known, epoch: 9, revision: 1_000_000 }));
  const older = await doctor({ ELASTIC_STORE_IDENTITY_FILE: newer });
  expect(older.filter(({ level }) => level !== "ok")).toMatchObject([
    { name: "identity", level: "fail", remedy: expect.stringContaining("--accept-store 10") },
  ]);

  const foreign = mkdtempSync(join(etcd.cluster.folder, "foreign-"));
  writeFileSync(join(foreign, "store-id"), "another\n");
  const ill = await doctor({
    ELASTIC_ETCD: `${settings().ELASTIC_ETCD},https://localhost:1`,
    ELASTIC_BLOBS_DIR: foreign,
    ELASTIC_REGISTRIES: "http://127.0.0.1:1",
  });
  expect(ill.filter(({ level }) => level !== "ok")).toMatchObject([
    { name: "etcd", level: "warn", finding: expect.stringContaining("https://localhost:1 does not respond") },
    { name: "blobs", level: "fail", remedy: expect.stringContaining("ELASTIC_BLOBS_DIR") },
    { name: "registry", level: "warn", remedy: expect.stringContaining("ELASTIC_REGISTRIES") },
  ]);
  const wrong = join(etcd.cluster.folder, "wrong-password");
  writeFileSync(wrong, "wrong");
  const refused = await doctor({ ELASTIC_ETCD_PASSWORD_FILE: wrong });
  expect(refused.find(({ name }) => name === "store")).toMatchObject({
    level: "fail",
    remedy: expect.stringContaining("ELASTIC_ETCD_PASSWORD_FILE"),
  });
  const plain = await doctor({
    ELASTIC_ETCD: (settings().ELASTIC_ETCD ?? "").replaceAll("https:", "http:"),
    ...Object.fromEntries(["CA", "CERT", "KEY", "USER", "PASSWORD_FILE"].map((name) => [`ELASTIC_ETCD_${name}`, ""])),
  });
  expect(plain.find(({ name }) => name === "etcd")).toMatchObject({ remedy: expect.stringContaining("https://") });
  const unreadable = await doctor({ ELASTIC_ETCD_CA: "/no/ca" });
  expect(unreadable.find(({ name }) => name === "etcd")).toMatchObject({ level: "fail" });
});

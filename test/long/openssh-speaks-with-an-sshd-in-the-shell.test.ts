/**
 * The user's command and the system's OpenSSH, with an image that has an sshd and one that has none: the same commands, the
 * same ends, and who may not come in does not.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { BUNDLED_COMMAND } from "elastic-cli/testing/bundled-command.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { startEngine, whyNoEngineHere } from "../cluster/engine.ts";
import { programPath } from "../cluster/machine.ts";
import { addTeam } from "../cluster/second-team.ts";
import { readyShell, type TestShell } from "../cluster/shell.ts";
import { importImageWithoutSshd, importShellImage } from "../cluster/shell-image.ts";

const SETTLES = { timeout: 30_000 };
const SECONDS_MAX = 4;

const noEngine = await whyNoEngineHere();

const parts = new AsyncDisposableStack();
let cluster: Cluster;
let client: ApiClient;
let shell: TestShell;
let plain: TestShell;

beforeAll(async () => {
  if (noEngine !== null) return;
  const engine = parts.use(await startEngine());
  const images = [
    `base=${await importShellImage(engine.socket)}`,
    `plain=${await importImageWithoutSshd(engine.socket)}`,
  ];
  const coordinatorSettings = {
    ELASTIC_SHELL_IMAGES: images.join(","),
    ELASTIC_SSH_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  cluster = parts.use(await startCluster({ engine, coordinatorSettings, agentSettings: { ELASTIC_SLOTS: "4" } }));
  client = cluster.client();
  shell = await readyShell(client, { shell_name: "lab" });
  plain = await readyShell(client, { shell_name: "plain", image: "plain" });
}, 180_000);
afterAll(() => parts.disposeAsync());

/** Of a member with that key. */
function start(args: readonly string[], key = client.key) {
  return spawn(process.execPath, ["--", BUNDLED_COMMAND, ...args], {
    cwd: cluster.folder,
    env: {
      ...COMPILE_CACHE,
      PATH: programPath(),
      ELASTIC_CONFIG_DIR: join(cluster.folder, "config"),
      ELASTIC_URL: client.url,
      ELASTIC_API_KEY: key,
      LANG: "C.UTF-8",
    },
    stdio: "pipe",
    // With all that it starts a group, which can be ended at once.
    detached: true,
  });
}

async function elastic(...args: readonly string[]) {
  const child = start(args);
  child.stdin.end();
  let [out, err] = ["", ""];
  child.stdout.on("data", (bytes) => (out += bytes));
  child.stderr.on("data", (bytes) => (err += bytes));
  const [code] = await once(child, "close");
  return { code, out, err };
}

/** A program that runs in the shell until something ends it, and when it did. */
async function running(key?: string) {
  const mark = `${5_000_000 + randomBytes(3).readUIntBE(0, 3)}`;
  const child = start(["shell", "connect", shell.shell_id, "--", `echo up; exec sleep ${mark}`], key);
  const closed = once(child, "close");
  child.stderr.resume();
  await once(child.stdout, "data");
  const isThere = async () =>
    (await elastic("shell", "connect", "lab", "--", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).out.includes(
      `sleep ${mark}`,
    );
  return { child, closed, isThere };
}

async function keyOf(scopes: readonly string[]): Promise<{ readonly key: string; readonly key_id: string }> {
  const body = JSON.stringify({ name: "for a while", scopes });
  const made = await client.call("/v1/keys", { method: "POST", body, headers: { "content-type": "application/json" } });
  return made.json as { key: string; key_id: string };
}

describe.skipIf(noEngine !== null)("with an sshd in the image", { timeout: 240_000 }, () => {
  test("commands have their input, output, errors, exit code and environment, without a prompt", async () => {
    const program = `cat; echo err >&2; pwd; set -- $SSH_CONNECTION; echo "$LANG $HOME $1"; umask; exit 7`;
    expect(await elastic("shell", "connect", "lab", "--", program)).toEqual({
      code: 7,
      out: "/home/shell\nC.UTF-8 /home/shell 127.0.0.1\n0022\n",
      err: "err\n",
    });
    expect((await elastic("shell", "connect", "lab", "--", "no-such-program")).code).toBe(127);
  });

  test("a terminal is one", async () => {
    const hosts = await elastic("shell", "ssh-config", "--tickets", "lab");
    const config = join(cluster.folder, "ssh_config");
    writeFileSync(config, hosts.out);
    const env = {
      PATH: programPath(),
      ELASTIC_CONFIG_DIR: join(cluster.folder, "config"),
      ELASTIC_URL: client.url,
      ELASTIC_API_KEY: client.key,
      TERM: "xterm",
    };
    const ssh = spawn("ssh", ["-F", config, "-tt", "lab", "tty; echo $TERM; exit 5"], { env });
    let out = "";
    ssh.stdout.on("data", (bytes) => (out += bytes));
    expect([(await once(ssh, "close"))[0], out]).toEqual([5, expect.stringMatching(/^\/dev\/pts\/\d+\r\nxterm\r\n$/)]);
  });

  test("files are copied there and back byte for byte", async () => {
    const bytes = randomBytes(8 * 1024 * 1024);
    writeFileSync(join(cluster.folder, "there"), bytes);
    expect(await elastic("shell", "cp", "there", "lab:copied")).toMatchObject({ code: 0 });
    expect(await elastic("shell", "cp", "lab:copied", "back")).toMatchObject({ code: 0 });
    expect(readFileSync(join(cluster.folder, "back")).equals(bytes)).toBe(true);
  });

  test("a key that is revoked cuts the connection, and what it ran ends", async () => {
    const { key, key_id: id } = await keyOf(["shells"]);
    const { child, closed, isThere } = await running(key);
    expect(await isThere()).toBe(true);
    const atMs = performance.now();
    expect((await client.call(`/v1/keys/${id}`, { method: "DELETE" })).status).toBeLessThan(300);
    await closed;
    expect((performance.now() - atMs) / 1000).toBeLessThan(SECONDS_MAX);
    expect(child.exitCode).toBe(255);
    await expect.poll(isThere, SETTLES).toBe(false);
  });

  test("a client that goes away takes its programs with it", async () => {
    const { child, isThere } = await running();
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await expect.poll(isThere, SETTLES).toBe(false);
  });

  test("a host key that the service's gateway has not certified is accepted by nobody", async () => {
    const config = join(cluster.folder, "config");
    const known = join(config, readdirSync(config).find((name) => name.startsWith("known_shells_")) ?? "");
    const other = readFileSync(join(config, "shell_key.pub"), "utf8").split(" ").slice(0, 2).join(" ");
    const hosts = await elastic("shell", "ssh-config", "--tickets", "lab");
    const forged = join(cluster.folder, "forged");
    writeFileSync(forged, `@cert-authority * ${other}\n* ${other}\n`);
    writeFileSync(join(cluster.folder, "forged_config"), hosts.out.replace(known, forged));
    const env = {
      PATH: programPath(),
      ELASTIC_CONFIG_DIR: config,
      ELASTIC_URL: client.url,
      ELASTIC_API_KEY: client.key,
    };
    const ssh = spawn("ssh", ["-F", join(cluster.folder, "forged_config"), "lab", "echo in"], { env });
    let [out, err] = ["", ""];
    ssh.stdout.on("data", (bytes) => (out += bytes));
    ssh.stderr.on("data", (bytes) => (err += bytes));
    expect([(await once(ssh, "close"))[0], out, err]).toEqual([
      255,
      "",
      expect.stringContaining("verification failed"),
    ]);
  });

  test("another team gets no ticket for it", async () => {
    const other = await addTeam(cluster.etcd.endpoint, "others");
    const body = JSON.stringify({ client_key: readFileSync(join(cluster.folder, "config", "shell_key.pub"), "utf8") });
    const headers = { "x-api-key": other.key, "content-type": "application/json" };
    const refused = await fetch(`${client.url}/v1/shells/${shell.shell_id}/ssh-tickets`, {
      method: "POST",
      body,
      headers,
    });
    expect(refused.status).toBe(404);
  });

  test("a shell that is stopped ends its connections", async () => {
    const { closed } = await running();
    expect((await elastic("shell", "stop", "lab")).code).toBe(0);
    await closed;
  });
});

test.skipIf(noEngine !== null)("without one the gateway serves the same command, without a prompt", async () => {
  const program = `cat; echo "$HOME $SSH_CONNECTION"; exit 7`;
  expect(await elastic("shell", "connect", plain.shell_id, "--", program)).toEqual({
    code: 7,
    out: "/home/shell \n",
    err: "",
  });
});

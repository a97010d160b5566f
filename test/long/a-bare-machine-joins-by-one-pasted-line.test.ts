/**
 * A machine with the distribution's smallest system and curl, and no agent, becomes a node by the line that `elastic-coordinator token
 * create` prints, and proves. What is tampered with, truncated or signed by somebody else is not installed, and leaves nothing. Later
 * its agent is upgraded, and returns to the version before where the new one does not run.
 */
import { execFile } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { installLine } from "@elastic/coordinator/program-releases/install-line.ts";
import { installOffer } from "@elastic/coordinator/program-releases/install-offer.ts";
import { agentReady } from "@elastic/deploy/local/agent.ts";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { verifyProof } from "@elastic/deploy/local/verify-proof.ts";
import { newReleaseKey } from "@elastic/std/program-release/signature.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BareRoot, makeBareRoot, type Pasted } from "../cluster/bare-root.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";
import { startPart } from "../cluster/part.ts";
import {
  changeAgent,
  copyRelease,
  packageAgent,
  RELEASE_KEY,
  readManifest,
  signManifest,
} from "../cluster/signed-release.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { CLAIM, INPUT } from "../system/statement.ts";

const START_TIMEOUT_MS = 60_000;
/** What it is to take at most on a machine that does nothing else, and on one that tests keep busy. */
const JOINS_WITHIN_MS = 60_000;
const OTHER_KEY = newReleaseKey();
/** What stands in for systemd: starts the agent whenever it has ended, and ends it where a file says so. */
const SUPERVISOR = `
while :; do
  /usr/local/bin/elastic-agent run & pid=$!
  while kill -0 $pid 2>/dev/null; do
    if [ -e /run/restart ]; then rm /run/restart; kill $pid; fi
    sleep 0.2
  done
  wait $pid
done`;
const RESTART = "touch /run/restart";

const parts = new AsyncDisposableStack();
let folder: string;
let releases: string;
let machine: BareRoot;
let cluster: Cluster;
let enroll: string;

beforeAll(async () => {
  folder = parts.use(makeWorkFolder()).path;
  releases = join(folder, "releases");
  mkdirSync(releases);
  packageAgent(join(folder, "packaged"), RELEASE_KEY);
  publish();
  writeFileSync(join(folder, "keys.pem"), RELEASE_KEY.publicPem + OTHER_KEY.publicPem);
  // curl is what the line needs, and bubblewrap what builtin provers are sealed off with.
  machine = await makeBareRoot(folder, ["curl", "bubblewrap"]);
  enroll = `127.0.0.1:${await freePort()}`;
  cluster = parts.use(
    await startCluster({
      agents: 0,
      coordinatorSettings: {
        ELASTIC_TLS_CA: "",
        ELASTIC_TLS_CERT: "",
        ELASTIC_TLS_KEY: "",
        ELASTIC_ENROLL_LISTEN: enroll,
        ELASTIC_RELEASES_DIR: releases,
        ELASTIC_RELEASE_KEYS: join(folder, "keys.pem"),
      },
    }),
  );
}, 600_000);
afterAll(() => parts.disposeAsync(), 60_000);

/** The release as it was packaged, and nothing else. */
function publish(): string {
  rmSync(releases, { recursive: true, force: true });
  const to = join(releases, "current");
  copyRelease(join(folder, "packaged"), to);
  return to;
}

function debOf(release: string): string {
  return join(release, readdirSync(release).find((name) => name.endsWith(".deb")) ?? "");
}

function token(...options: readonly string[]): Promise<string> {
  return command("token", "create", "--node", "bare", ...options);
}

/** `elastic-coordinator`, as an operator runs it next to the coordinators. */
async function command(...args: readonly string[]): Promise<string> {
  const env = {
    ...COMPILE_CACHE,
    PATH: programPath(),
    ELASTIC_ETCD: cluster.etcd.endpoint,
    ELASTIC_ENROLL_ADVERTISE: enroll,
    ELASTIC_RELEASES_DIR: releases,
    ELASTIC_RELEASE_KEYS: join(folder, "keys.pem"),
  };
  const program = inRepository("coordinator", "main.ts");
  return (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout.trim();
}

async function nodes(): Promise<unknown> {
  const { json } = await cluster.client().call("/v1/nodes");
  return (json as { readonly items: unknown }).items;
}

/** All that an installation writes to. */
function installed(): readonly string[] {
  const places = ["opt/elastic", "etc/elastic", "usr/local/bin", "var/lib/elastic-agent"];
  return places.flatMap((place) => {
    const path = join(machine.folder, place);
    return existsSync(path) ? readdirSync(path).filter((name) => name !== ".lock") : [];
  });
}

async function expectRefused(pasted: Promise<Pasted>, why: RegExp): Promise<void> {
  const { code, output } = await pasted;
  expect(output).toMatch(why);
  expect(output).toContain("Nothing was installed");
  expect(code).not.toBe(0);
  expect(installed()).toEqual([]);
}

test("installs nothing of a tampered or truncated package", { timeout: 120_000 }, async () => {
  const release = publish();
  const deb = debOf(release);
  const line = await token();
  const bytes = readFileSync(deb);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(deb, bytes);
  await expectRefused(machine.paste(line), /is not what its release lists: it was tampered with or damaged/);
  truncateSync(deb, 1_000_000);
  await expectRefused(machine.paste(line), /was not received completely, 1000000 of \d+ bytes: paste the line again/);
});

test("installs nothing that another key signed, or whose manifest is not the line's", {
  timeout: 120_000,
}, async () => {
  publish();
  const line = await token("--json").then((text) => JSON.parse(text) as { token: string; install_command: string });
  // The coordinators trust both keys; the line names one of them.
  const alone = { folder: join(folder, "alone"), keysFile: join(folder, "keys.pem") };
  for (const place of [join(alone.folder, "other"), join(releases, "other")]) {
    copyRelease(join(folder, "packaged"), place);
    signManifest(place, { ...readManifest(place), version: "0.0.9" }, OTHER_KEY);
  }
  const [wrong, right] = [await installOffer(alone), await installOffer({ ...alone, folder: releases })];
  if (wrong === null || right === null) throw new Error("there is no release");
  const [authorityFileSha256 = ""] = line.install_command.match(/[0-9a-f]{64}/g) ?? [];
  const of = { coordinator: enroll, token: line.token, authorityFileSha256, nodeName: "bare" };
  const signedByOther = installLine(of, { ...wrong, keyFileSha256: right.keyFileSha256 });
  await expectRefused(machine.paste(signedByOther), /release 0\.0\.9 was not signed by the key that the line names/);
  const current = join(releases, "current");
  signManifest(current, { ...readManifest(current), minimumAgent: "0.0.1" }, RELEASE_KEY);
  await expectRefused(machine.paste(installLine(of, right)), /is not the one that the line names: make another line/);
  publish();
});

test("says in a sentence what is wrong with the line or the machine", { timeout: 120_000 }, async () => {
  const line = await token();
  const digests = line.match(/[0-9a-f]{64}/g) ?? [];
  const changed = (index: number): string => line.replace(digests[index] ?? "", "0".repeat(64));
  await expectRefused(machine.paste(changed(0)), /is not of the authority that the line names: do not continue/);
  await expectRefused(machine.paste(changed(1)), /has another installer than the line names: make another line/);
  await expectRefused(machine.paste(line.replace("linux-x64:", "linux-arm64:")), /has releases for linux-arm64 only/);
  await expectRefused(machine.paste(line.replaceAll(enroll, "127.0.0.1:1")), /serves no releases: check the address/);
  const small = "mkdir -p /opt/elastic && mount -t tmpfs -o size=40m none /opt/elastic";
  await expectRefused(machine.paste(small, line), /has \d+ MiB left, and the installation takes \d+ MiB: make room/);
});

test("a bare machine becomes a node by one pasted line, and proves", { timeout: 240_000 }, async () => {
  publish();
  const line = await token();
  const secret = /ejt_\S+/.exec(line)?.[0] ?? "";
  const seen = new Set<string>();
  const watching = setInterval(() => {
    for (const pid of readdirSync("/proc")) {
      if (!/^\d+$/.test(pid)) continue;
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
      } catch {
        // It ended meanwhile.
      }
    }
  }, 20);
  const begunAt = performance.now();
  const { code, output } = await machine.paste(line).finally(() => clearInterval(watching));
  expect(output).toContain("this machine is node bare; its certificate lasts until ");
  expect(output).toContain("there is no systemd here: start the agent under your supervisor");
  // What the doctor found on it.
  expect(output).toMatch(/^\S*.*engine/m);
  expect(code).toBe(0);
  expect([...seen].some((one) => one.includes("--token-file"))).toBe(true);
  expect([...seen].filter((one) => one.includes(secret))).toEqual([]);
  expect(readdirSync(join(machine.folder, "opt/elastic")).sort()).toEqual([
    ".lock",
    "elastic-agent",
    "elastic-agent-0.1.0",
  ]);

  mkdirSync(join(machine.folder, "usr/local/lib"), { recursive: true });
  copyFileSync(
    inRepository("target", "release", "libelastic_ffi.so"),
    join(machine.folder, "usr/local/lib/libelastic_ffi.so"),
  );
  const agent = await startPart({
    program: () =>
      machine.inside({
        name: "agent",
        command: "/bin/sh",
        args: ["-c", SUPERVISOR],
        env: {
          ELASTIC_ENGINE_SOCKET: "none",
          ELASTIC_FFI_LIBRARY: "/usr/local/lib/libelastic_ffi.so",
          ELASTIC_DISK_HIGH_PERCENT: "100",
          ELASTIC_METRICS_LISTEN: "127.0.0.1:0",
          ELASTIC_UPGRADE_COMMAND: `elastic-agent upgrade --restart "${RESTART}"`,
        },
        logFile: join(folder, "agent.log"),
      }),
    becomesReady: (child) => agentReady(child, START_TIMEOUT_MS),
  });
  // What it runs under passes no other signal on.
  parts.defer(() => agent.kill());
  const client = cluster.client();
  const node = async () => (await client.call("/v1/nodes")).json as { items: { node_id: string; state: string }[] };
  await expect
    .poll(async () => (await node()).items, { timeout: START_TIMEOUT_MS })
    .toMatchObject([{ state: "READY" }]);
  const readyMs = performance.now() - begunAt;
  const service = await client.readyService("poseidon", { image: "builtin:poseidon" });
  const task = await client.prove(service.service_id, INPUT);
  expect(task).toMatchObject({ state: "SUCCESS" });
  expect(await verifyProof(task.result ?? "", CLAIM)).toBe(true);
  const proofMs = performance.now() - begunAt;
  const bytes = statSync(debOf(join(releases, "current"))).size;
  console.log(
    `joined: ${(readyMs / 1000).toFixed(1)} s from the paste to READY, ${(proofMs / 1000).toFixed(1)} s to a verified proof, ${bytes} bytes (zstd level 3)`,
  );
  expect(readyMs).toBeLessThan(2 * JOINS_WITHIN_MS);
});

test("the line of another token on an installed machine downloads no package", { timeout: 60_000 }, async () => {
  appendFileSync(join(machine.folder, "etc/elastic/agent.env"), "ELASTIC_LABELS=zone=b\n");
  const { code, output } = await machine.paste(await token());
  expect(output).toContain("the agent is installed already (0.1.0)");
  expect(output).not.toContain("downloading");
  expect(output).toContain("it was that node before");
  expect(code).toBe(0);
  expect(readFileSync(join(machine.folder, "etc/elastic/agent.env"), "utf8")).toContain("zone=b");
});

test("the agent is upgraded to a signed release, and proves", { timeout: 240_000 }, async () => {
  await changeAgent(join(folder, "packaged"), join(releases, "next"), { version: "0.2.0", runs: true }, RELEASE_KEY);
  const checked = await machine.paste("elastic-agent upgrade --check");
  expect(checked).toMatchObject({
    code: 0,
    output: expect.stringContaining("0.2.0 is an upgrade of this agent, 0.1.0"),
  });
  const begunAt = performance.now();
  const { code, output } = await machine.paste(`elastic-agent upgrade --restart "${RESTART}"`);
  console.log(`upgraded: ${((performance.now() - begunAt) / 1000).toFixed(1)} s`);
  expect(output).toContain("the agent runs as 0.2.0; elastic-agent upgrade --rollback returns to 0.1.0");
  expect(code).toBe(0);
  await expect.poll(nodes).toMatchObject([{ state: "READY", agent_version: "0.2.0" }]);
  const client = cluster.client();
  const service = await client.readyService("after-upgrade", { image: "builtin:poseidon" });
  expect(await client.prove(service.service_id, INPUT)).toMatchObject({ state: "SUCCESS" });
});

test("returns to the version before when the new one does not run, and accepts work again", {
  timeout: 240_000,
}, async () => {
  await changeAgent(join(folder, "packaged"), join(releases, "broken"), { version: "0.3.0", runs: false }, RELEASE_KEY);
  const upgrade = `elastic-agent upgrade --restart "${RESTART}" --healthy-within 15`;
  const { code, output } = await machine.paste(upgrade);
  expect(output).toMatch(/0\.3\.0 did not become healthy \(no agent responds\): 0\.2\.0 runs again/);
  expect(code).toBe(1);
  await expect.poll(nodes).toMatchObject([{ state: "READY", agent_version: "0.2.0" }]);
  const back = await machine.paste(`elastic-agent upgrade --rollback --restart "${RESTART}"`);
  expect(back).toMatchObject({ code: 0, output: expect.stringContaining("the agent runs as 0.1.0") });
  await expect.poll(nodes).toMatchObject([{ state: "READY", agent_version: "0.1.0" }]);
});

test("the node's agent becomes another version by the operators' order, which completes", {
  timeout: 240_000,
}, async () => {
  expect(await command("upgrade", "start", "--version", "0.2.0")).toContain("upgrade to 0.2.0: under way");
  await expect.poll(nodes, { timeout: 120_000 }).toMatchObject([{ state: "READY", agent_version: "0.2.0" }]);
  const state = async () =>
    (JSON.parse(await command("upgrade", "status", "--json")) as { readonly state: string }).state;
  await expect.poll(state, { timeout: 120_000, interval: 5_000 }).toBe("completed");
});

/**
 * The packages on a machine without Node, npm and this repository: built twice with the same bytes, installed, joined by the pasted
 * line, a proof made, upgraded, and purged with nothing left.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentReady } from "@elastic/deploy/local/agent.ts";
import { coordinatorReady } from "@elastic/deploy/local/coordinator.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { verifyProof } from "@elastic/deploy/local/verify-proof.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../cluster/api-client.ts";
import { type BareRoot, makeBareRoot } from "../cluster/bare-root.ts";
import { startEtcd } from "../cluster/etcd.ts";
import { startPart } from "../cluster/part.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { CLAIM, INPUT } from "../system/statement.ts";

const START_TIMEOUT_MS = 60_000;
/** The smallest is for releases. */
const LEVEL = "3";

const parts = new AsyncDisposableStack();
let folder: string;
let packages: string;
let machine: BareRoot;

beforeAll(async () => {
  folder = parts.use(makeWorkFolder()).path;
  packages = makePackages("packages");
  // What builtin provers are sealed off with: the packages recommend it.
  machine = await makeBareRoot(folder, ["bubblewrap"]);
}, 600_000);
afterAll(() => parts.disposeAsync(), 60_000);

function makePackages(name: string): string {
  const to = join(folder, name);
  const args = [inRepository("deploy", "package", "main.ts"), "--allow-changes", "--to", to, "--level", LEVEL];
  execFileSync(process.execPath, args, { stdio: "pipe" });
  return to;
}

/** With both packages in /packages. */
function install(): Promise<string> {
  const inRoot = join(machine.folder, "packages");
  mkdirSync(inRoot, { recursive: true });
  const files = readdirSync(packages).filter((file) => file.endsWith(".deb"));
  for (const file of files) copyFileSync(join(packages, file), join(inRoot, file));
  return machine.run({}, "dpkg", "--install", ...files.map((file) => `/packages/${file}`));
}

test("two builds have the same bytes", { timeout: 300_000 }, () => {
  const sums = (of: string): string => readFileSync(join(of, "SHA256SUMS"), "utf8");
  expect(sums(packages).split("\n")).toHaveLength(9);
  expect(sums(makePackages("again"))).toBe(sums(packages));
});

test("a bare machine joins by the pasted line and proves", { timeout: 180_000 }, async () => {
  const installed = await install();
  expect(installed).toContain("Then paste the line that `elastic-coordinator token create` prints");
  const etcd = parts.use(await startEtcd());
  const [grpc, enroll] = [await freePort(), await freePort()];
  const common = { ELASTIC_ETCD: etcd.endpoint, ELASTIC_ENROLL_ADVERTISE: `127.0.0.1:${enroll}` };
  await machine.run({}, "mkdir", "--parents", "/usr/local/lib");
  const coordinator = await startPart({
    program: () =>
      machine.inside({
        name: "coordinator",
        command: "elastic-coordinator",
        args: ["serve"],
        env: {
          ...common,
          ELASTIC_HTTP_LISTEN: "127.0.0.1:0",
          ELASTIC_METRICS_LISTEN: "127.0.0.1:0",
          ELASTIC_GRPC_LISTEN: `127.0.0.1:${grpc}`,
          ELASTIC_ENROLL_LISTEN: `127.0.0.1:${enroll}`,
          ELASTIC_SHUTDOWN_DELAY: "0",
        },
        logFile: join(folder, "coordinator.log"),
      }),
    becomesReady: (child) => coordinatorReady(child, START_TIMEOUT_MS),
  });
  // What it runs under passes no other signal on.
  parts.defer(() => coordinator.kill());
  const made = await machine.run(
    common,
    "elastic-coordinator",
    "bootstrap",
    "--user",
    "ada",
    "--team",
    "lovelace",
    "--json",
  );
  const line = (await machine.run(common, "elastic-coordinator", "token", "create", "--node", "bare")).trim();
  await machine.run({ ELASTIC_ACCEL_LIBRARY: "none" }, "/bin/sh", "-c", line);

  copyFileSync(
    inRepository("target", "release", "libelastic_ffi.so"),
    join(machine.folder, "usr/local/lib/libelastic_ffi.so"),
  );
  const agent = await startPart({
    program: () =>
      machine.inside({
        name: "agent",
        command: "elastic-agent",
        args: ["run"],
        env: {
          ELASTIC_ENGINE_SOCKET: "none",
          ELASTIC_FFI_LIBRARY: "/usr/local/lib/libelastic_ffi.so",
          ELASTIC_ACCEL_LIBRARY: "none",
          ELASTIC_DISK_HIGH_PERCENT: "100",
          ELASTIC_METRICS_LISTEN: "127.0.0.1:0",
        },
        logFile: join(folder, "agent.log"),
      }),
    becomesReady: (child) => agentReady(child, START_TIMEOUT_MS),
  });
  parts.defer(() => agent.kill());
  const { key } = JSON.parse(made) as { readonly key: string };
  const client = apiClient({ url: `http://${coordinator.ready().http}`, key });
  const service = await client.readyService("poseidon", { image: "builtin:poseidon" });
  const task = await client.prove(service.service_id, INPUT);
  expect(task).toMatchObject({ state: "SUCCESS" });
  expect(await verifyProof(task.result ?? "", CLAIM)).toBe(true);
});

test("an upgrade keeps changed settings, and a purge leaves nothing of the programs", {
  timeout: 120_000,
}, async () => {
  const settings = join(machine.folder, "etc", "elastic", "agent.env");
  appendFileSync(settings, "ELASTIC_LABELS=zone=b\n");
  await install();
  expect(readFileSync(settings, "utf8")).toContain("zone=b");
  const removed = await machine.run({}, "dpkg", "--purge", "elastic-agent", "elastic-coordinator");
  expect(removed).toContain("/var/lib/elastic is kept");
  const left = [
    "usr/lib/elastic-agent",
    "usr/lib/elastic-coordinator",
    "usr/bin/elastic-agent",
    "etc/elastic",
    "var/lib/elastic-agent",
  ];
  expect(left.filter((path) => existsSync(join(machine.folder, path)))).toEqual([]);
});

/**
 * What programs install, from the packages alone: built twice with the same bytes, installed without a network, and every
 * example of the guide run with it against a service that proves.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Received, type Receiver, startReceiver } from "@elastic/coordinator/egress/testing/receiver.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { verifyProof } from "@elastic/deploy/local/verify-proof.ts";
import { ElasticClient, verifyWebhook } from "elastic-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guideExamples } from "../clients/guide-examples.ts";
import {
  checkTypes,
  type ExampleEnvironment,
  linkNodeTypes,
  runExample,
  startExample,
} from "../clients/run-example.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { CLAIM } from "../system/statement.ts";
import { ALLOW_RECEIVERS } from "../system/webhook-scenario.ts";

const LIBRARIES = ["elastic-client", "elastic-client-python", "elastic-cli", "elastic-sdk"];
const EXAMPLES = guideExamples();
const run = promisify(execFile);

const parts = new AsyncDisposableStack();
let folder: string;
let packages: string;
let cluster: Cluster;
let client: ElasticClient;
let serviceId: string;
let env: ExampleEnvironment;

beforeAll(async () => {
  folder = parts.use(makeWorkFolder()).path;
  packages = makePackages("packages");
  cluster = parts.use(await startCluster({ coordinatorSettings: ALLOW_RECEIVERS }));
  const user = cluster.client();
  serviceId = (await user.readyService("poseidon", { image: "builtin:poseidon" })).service_id;
  client = new ElasticClient({ url: user.url, key: user.key });
  const { PATH, HOME } = process.env;
  env = { PATH, HOME, ELASTIC_URL: user.url, ELASTIC_API_KEY: user.key, ELASTIC_CONFIG_DIR: join(folder, "config") };
}, 300_000);
afterAll(() => parts.disposeAsync(), 60_000);

function makePackages(name: string): string {
  const to = join(folder, name);
  execFileSync(
    process.execPath,
    [inRepository("deploy", "package", "main.ts"), ...LIBRARIES, "--allow-changes", "--to", to],
    {
      stdio: "pipe",
    },
  );
  return to;
}

function packageFile(name: RegExp): string {
  const [found = "none"] = readdirSync(packages).filter((file) => name.test(file));
  return join(packages, found);
}

function npmInstall(name: string, file: string): string {
  const to = join(folder, name);
  mkdirSync(to);
  writeFileSync(join(to, "package.json"), '{"type":"module"}');
  execFileSync("npm", ["install", "--offline", file], { cwd: to, stdio: "pipe" });
  return to;
}

test("two builds have the same bytes", { timeout: 120_000 }, () => {
  const sums = (of: string): string => readFileSync(join(of, "SHA256SUMS"), "utf8");
  expect(sums(packages).trimEnd().split("\n")).toHaveLength(LIBRARIES.length);
  expect(sums(makePackages("again"))).toBe(sums(packages));
});

test("each has the licences, and none but the crate has tests", () => {
  const wheel = execFileSync("python3", ["-m", "zipfile", "--list", packageFile(/\.whl$/)], { encoding: "utf8" });
  const lists = [wheel, listOf(/^elastic-client-.*\.tgz$/), listOf(/^elastic-cli-.*\.tgz$/)];
  for (const list of lists) expect(list).not.toMatch(/\.test\.|\/tests\//);
  for (const list of [...lists, listOf(/\.crate$/)]) {
    for (const license of ["LICENSE-MIT", "LICENSE-APACHE"]) expect(list).toContain(license);
  }
});

function listOf(name: RegExp): string {
  return execFileSync("tar", ["--list", "--file", packageFile(name)], { encoding: "utf8" });
}

test("the npm package installs offline, and the guide's examples of TypeScript prove", {
  timeout: 180_000,
}, async () => {
  const installed = npmInstall("program", packageFile(/^elastic-client-.*\.tgz$/));
  expect(readdirSync(join(installed, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "elastic-client",
  ]);
  linkNodeTypes(installed);
  await checkTypes(installed, EXAMPLES);
  await runExamples(installed, "ts", env);
});

test("the wheel installs into an environment, and the guide's examples of Python prove", {
  timeout: 180_000,
}, async () => {
  const environment = join(folder, "venv");
  await run("python3", ["-m", "venv", environment]);
  const python = join(environment, "bin", "python3");
  await run(python, ["-m", "pip", "install", "--no-index", packageFile(/\.whl$/)]);
  const { stdout } = await run(python, ["-m", "pip", "list", "--format", "freeze"]);
  expect(stdout).toContain("elastic-client==");
  const work = join(folder, "python");
  mkdirSync(work);
  await runExamples(work, "python", { ...env, PATH: `${dirname(python)}:${env.PATH}` });
});

async function runExamples(work: string, language: string, surroundings: ExampleEnvironment): Promise<void> {
  for (const example of EXAMPLES.filter((one) => one.language === language)) {
    if (example.isServer) continue;
    const printed = await runExample(work, example, surroundings);
    expect(printed, example.title).not.toBe("");
    const [, proof] = /^[0-9a-f]{32} (\S+)$/m.exec(printed) ?? [];
    if (example.title.startsWith("A proof") && !/^true$/im.test(printed))
      expect(await verifyProof(proof ?? "", CLAIM)).toBe(true);
    if (example.title.startsWith("Failures")) expect(printed).toContain("the prover rejects the input: ");
  }
  const [server] = EXAMPLES.filter((one) => one.language === language && one.isServer);
  if (server === undefined) throw new Error("the guide has no receiver of webhooks");
  const port = await freePort();
  const webhook = await createWebhook(`http://127.0.0.1:${port}/`);
  const given = { ...surroundings, PORT: String(port), WEBHOOK_SECRET: webhook.secret };
  await using receiving = startExample(work, server, given);
  const { result } = await client.prove(serviceId, { private_input: [1, 2], public_input: CLAIM.publicInput });
  await expect.poll(() => receiving.printed(), { timeout: 60_000 }).toContain(result);
  await client.request({ method: "DELETE", path: `/v1/webhooks/${webhook.webhook_id}` });
}

interface CreatedWebhook {
  readonly webhook_id: string;
  readonly secret: string;
}

async function createWebhook(url: string): Promise<CreatedWebhook> {
  const body = JSON.stringify({ name: "receiver", url });
  return (await client.request({ method: "POST", path: `/v1/services/${serviceId}/webhooks`, body })) as CreatedWebhook;
}

test("the installed command forwards what the webhook posts, byte for byte", { timeout: 120_000 }, async () => {
  const installed = npmInstall("command", packageFile(/^elastic-cli-.*\.tgz$/));
  const elastic = join(installed, "node_modules", "elastic-cli", "bin", "elastic.js");
  const accept = (_: Received, response: { writeHead(status: number): { end(): void } }): void =>
    response.writeHead(204).end();
  await using remote: Receiver = await startReceiver(accept);
  await using local: Receiver = await startReceiver(accept);
  await createWebhook(remote.url);
  const args = [elastic, "listen", "--service", "poseidon", "--forward", local.url];
  const listening = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  listening.stderr.on("data", (text) => {
    said += text;
  });
  try {
    await expect.poll(() => /whsec_\S+/.exec(said)?.[0]).toBeDefined();
    await client.prove(serviceId, { private_input: [1, 2], public_input: CLAIM.publicInput });
    await expect.poll(() => [remote.received.length, local.received.length], { timeout: 60_000 }).toEqual([1, 1]);
  } finally {
    listening.kill("SIGINT");
  }
  const [posted] = remote.received;
  const [forwarded] = local.received;
  expect(forwarded?.body.equals(posted?.body ?? Buffer.of())).toBe(true);
  for (const name of ["content-type", "user-agent", "webhook-id"]) {
    expect([name, forwarded?.headers[name]]).toEqual([name, posted?.headers[name]]);
  }
  const secret = /whsec_\S+/.exec(said)?.[0] ?? "";
  const event = await verifyWebhook(forwarded?.body ?? "", forwarded?.headers ?? {}, secret);
  expect(event.type).toBe("task.succeeded");
});

test("the crate is what cargo unpacks", async () => {
  const unpacked = join(folder, "crate");
  mkdirSync(unpacked);
  await run("tar", ["-xzf", packageFile(/\.crate$/), "-C", unpacked, "--strip-components=1"]);
  const { stdout } = await run("cargo", ["metadata", "--offline", "--no-deps", "--format-version", "1"], {
    cwd: unpacked,
  });
  const [crate] = (JSON.parse(stdout) as { packages: { name: string; targets: { kind: string[] }[] }[] }).packages;
  expect([crate?.name, crate?.targets.some(({ kind }) => kind.includes("lib"))]).toEqual(["elastic-sdk", true]);
});

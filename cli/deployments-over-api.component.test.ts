import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiInMemory, startApiInMemory } from "@elastic/test/cluster/api-in-memory.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ran, runBinary } from "./testing/run-binary.ts";

const PROVER = `registry.example.com/prover@sha256:${"1".repeat(64)}`;

let api: ApiInMemory;
let home: string;

beforeEach(async () => {
  api = await startApiInMemory();
  home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  expect((await elastic("login", "--url", api.url, "--api-key", api.key)).code).toBe(0);
});
afterEach(async () => {
  await rm(home, { recursive: true });
  await api[Symbol.asyncDispose]();
});

function elastic(...args: readonly string[]): Promise<Ran> {
  return runBinary(args, { directory: home, env: { ELASTIC_CONFIG_DIR: join(home, "config") } });
}

async function json<T>(...args: readonly string[]): Promise<T> {
  const ran = await elastic(...args, "--json");
  expect(ran).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout) as T;
}

async function createService(): Promise<string> {
  return (await json<{ service_id: string }>("service", "create", "poseidon")).service_id;
}

async function deploy(serviceId: string, ...args: readonly string[]): Promise<string> {
  const rolledOut = api.rollOutNext(serviceId);
  const deployed = await json<{ deployment_id: string }>("deploy", "--image", "registry.example.com/prover:1", ...args);
  await rolledOut;
  return deployed.deployment_id;
}

test("services are listed, the directory's marked, and one that is deleted frees its directory", async () => {
  const id = await createService();
  const list = await elastic("service", "list");
  expect(list.stdout).toMatch(
    /^ +SERVICE NAME +SERVICE ID +STATE +IMAGE TAG +CREATED\n\* +poseidon +[0-9a-f]{32} +UNREADY +- /,
  );
  expect(await elastic("service", "delete")).toMatchObject({ code: 2, stderr: expect.stringContaining("Give --yes.") });
  expect((await elastic("service", "info")).stdout).toContain("state: UNREADY");
  const deleted = await elastic("service", "delete", "--yes");
  expect(deleted).toMatchObject({ code: 0, stdout: `Deleted poseidon (${id}).\n` });
  expect(existsSync(join(home, ".elastic.json"))).toBe(false);
  expect((await elastic("service", "list")).stdout).toBe("The team has no services.\n");
  expect(await createService()).not.toBe(id);
  expect((await elastic("service", "delete", "--service", id, "--yes")).code).toBe(0);
  expect(existsSync(join(home, ".elastic.json"))).toBe(true);
});

test("deployments are listed and shown, and a rollback repeats the one before", async () => {
  const id = await createService();
  api.deployAs(PROVER);
  const first = await deploy(id, "--tag", "v1", "--env", "A=b");
  const second = await deploy(id, "--tag", "v2");
  const list = (await elastic("deployment", "list")).stdout;
  expect(list).toMatch(new RegExp(`\\* +${second} +READY +ready +v2 .*\\n +${first} +RETIRED +ready +v1 `));
  const info = (await elastic("deployment", "info", first)).stdout;
  expect(info).toContain(`\nimage: ${PROVER}\nimage tag: v1\n`);
  expect(info).toContain("\nenvironment: A (values are sealed)\nGPUs: 0\n");
  expect(info).toContain("\nmemory: 2 GiB\n");

  const rolledOut = api.rollOutNext(id);
  const back = await elastic("deployment", "rollback");
  await rolledOut;
  expect(back).toMatchObject({ code: 0, stdout: `Ready. Endpoint: ${api.url}/v1/services/${id}\n` });
  expect(back.stderr).toContain(`Going back to ${first} (v1) as `);
  expect((await elastic("service", "info")).stdout).toContain("image tag: v1");
  const named = await json<{ rollback_of: string }>("deployment", "rollback", second, "--no-wait");
  expect(named.rollback_of).toBe(second);
});

test("a deployment that fails says at which stage, and a rollback to nothing is refused", async () => {
  const id = await createService();
  expect(await elastic("deployment", "list")).toMatchObject({
    code: 0,
    stdout: "The service has no deployments.\n",
  });
  expect(await elastic("deployment", "rollback")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No other deployment of the service was ever ready"),
  });
  const failed = api.failNext(id, "no such layer");
  expect((await elastic("deploy", "--image", "builtin:noop")).code).toBe(1);
  await failed;
  const [deployment] = await json<readonly { deployment_id: string }[]>("deployment", "list");
  const info = await elastic("deployment", "info", deployment?.deployment_id ?? "");
  expect(info.stdout).toContain("\nstate: FAILED\n");
  expect(info.stdout).toContain("\nfailed: pulling: image_unavailable: no such layer\n");
});

test("a folder becomes a volume, is not sent twice, is deployed by its name, and is deleted once nobody has it", async () => {
  const keys = join(home, "proving keys");
  await mkdir(join(keys, "srs"), { recursive: true });
  await writeFile(join(keys, "a.key"), "key");
  await writeFile(join(keys, "srs/k20"), "x".repeat(600_000));
  await writeFile(join(keys, "srs/same"), "key");
  await symlink(join(keys, "a.key"), join(keys, "linked.key"));
  expect((await elastic("data", "ls")).stdout).toBe("The team has no data volumes.\n");
  const first = await elastic("data", "upload", `${keys}/`, "--name", "keys");
  expect(first.stdout).toMatch(/^Volume keys \([0-9a-f]{32}\): 4 files, 585\.9 KiB, 585\.9 KiB sent\.\n$/);
  expect(first.stderr).toContain("Sending file 2 of 2");
  const again = await json<{ volume_id: string; sent_files: number }>("data", "upload", keys, "--name", "keys");
  expect(again.sent_files).toBe(0);
  await writeFile(join(keys, "b.key"), "another");
  const newer = await json<{ volume_id: string; sent_bytes: number }>("data", "upload", keys, "--name", "keys");
  expect(newer).toMatchObject({ sent_bytes: 7 });
  expect(newer.volume_id).not.toBe(again.volume_id);
  expect((await elastic("data", "ls")).stdout).toMatch(/^NAME +VOLUME ID .*\nkeys +[0-9a-f]{32} +5 +586\.0 KiB /);

  const id = await createService();
  api.deployAs(PROVER);
  const deployed = await json<{ volume_id: string; deployment_id: string }>(
    "deploy",
    "--image",
    PROVER,
    "--data",
    "keys",
    "--no-wait",
  );
  expect(deployed.volume_id).toBe(newer.volume_id);
  expect((await elastic("deployment", "info", deployed.deployment_id)).stdout).toContain(
    `\ndata volume: keys (${newer.volume_id})\n`,
  );
  const refused = await elastic("data", "delete", "keys", "--yes");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("has it deployed") });
  expect((await elastic("data", "delete", "keys")).stderr).toContain("Give --yes.");
  await elastic("service", "delete", "--service", id, "--yes");
  expect(await elastic("data", "delete", "keys", "--yes")).toMatchObject({ code: 0, stdout: "Deleted keys.\n" });
  expect((await json<readonly object[]>("data", "ls")).length).toBe(1);
});

test("what cannot become a volume is named before anything is sent", async () => {
  expect(await elastic("data", "upload", join(home, "nowhere"))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`There is no ${join(home, "nowhere")}.`),
  });
  await mkdir(join(home, "empty"));
  expect(await elastic("data", "upload", join(home, "empty"))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("holds no file"),
  });
  await mkdir(join(home, "links"));
  await symlink(home, join(home, "links/up"));
  expect(await elastic("data", "upload", join(home, "links"))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("link to a folder"),
  });
  expect(await elastic("data", "delete", "unknown", "--yes")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("no data volume named unknown"),
  });
  await createService();
  expect(await elastic("deploy", "--image", "builtin:noop", "--data", "unknown")).toMatchObject({ code: 4 });
  await writeFile(join(home, "one.bin"), "one file");
  const one = await json<{ name: string; file_count: number; volume_id: string }>(
    "data",
    "upload",
    join(home, "one.bin"),
  );
  expect(one).toMatchObject({ name: "one.bin", file_count: 1 });
  expect(await elastic("deploy", "--image", "builtin:noop", "--data", one.volume_id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--data: a builtin prover reads no files"),
  });
});

test("a deployment requests GPUs and machines by their labels, and is shown with them", async () => {
  await createService();
  api.deployAs(PROVER);
  const wishes = ["--gpu", "H100", "--gpu-memory", "80", "--label", "zone=a", "--label", "rack=7"];
  const deployed = await json<{ deployment_id: string; resources: object }>(
    ...["deploy", "--image", "registry.example.com/prover:1", "--no-wait", ...wishes],
  );
  expect(deployed.resources).toMatchObject({
    gpu_count: 1,
    gpu_model: "H100",
    gpu_memory_bytes: 80e9,
    gpu_mig_profile: null,
    node_labels: { zone: "a", rack: "7" },
  });
  const info = (await elastic("deployment", "info", deployed.deployment_id)).stdout;
  expect(info).toContain("\nGPUs: 1 of H100, 80 GB or more each\nnode labels: zone=a, rack=7\n");
  const odd = await elastic("deploy", "--image", "registry.example.com/prover:1", "--gpu", "none", "--mig", "1g.10gb");
  expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining("--gpu none goes with no other option") });
  const two = await elastic(
    ...["deploy", "--image", "registry.example.com/prover:1", "--mig", "1g.10gb", "--gpu-count", "2"],
  );
  expect(two.code).not.toBe(0);
  expect(two.stderr).toContain("a program sees one MIG instance at most");
});

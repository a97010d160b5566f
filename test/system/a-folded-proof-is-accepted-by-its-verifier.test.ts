import { execFile } from "node:child_process";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { userCommand } from "../cluster/user-command.ts";

const noEngine = await whyNoEngineHere();
const VERIFIER = inRepository("target", "release", "ivc-minroot-verify");
const STATEMENT = { steps: "3", x: "0", y: "1" };
const INPUT = '{"steps":3,"z0":["0","1"]}';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ engine: noEngine === null });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

interface Judged {
  readonly code: number;
  readonly stdout: string;
}

function judge(proof: string, { steps, x, y } = STATEMENT): Promise<Judged> {
  const args = ["--steps", steps, "--z0", x, y, "--proof", proof, "--json", "--allow-development"];
  return new Promise((resolve) => {
    execFile(VERIFIER, args, { env: {} }, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout }),
    );
  });
}

/** The text of a proof with one bit of its first or last byte, or of one between, turned over. */
function flipped(proof: string, at: number): string {
  const bytes = Buffer.from(proof, "base64");
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString("base64");
}

/** By the command, from a folder of the service's own. */
async function proofOf(name: string, image: string, ...more: readonly string[]): Promise<string> {
  const { url, key } = cluster.client();
  const engineSocket = cluster.engine?.socket ?? "";
  const elastic = userCommand({ folder: join(cluster.folder, name), url, key, engineSocket });
  expect(await elastic("service", "create", name)).toMatchObject({ code: 0 });
  expect(await elastic("deploy", "--image", image, ...more)).toMatchObject({ code: 0 });
  const args = ["--json", INPUT, "--wait", "--output", "json"];
  const created = await elastic("task", "create", ...args);
  expect(created.code, created.stderr).toBe(0);
  const task = JSON.parse(created.stdout);
  expect(task).toMatchObject({ state: "SUCCESS" });
  return task.result;
}

test("a proof of folded steps is accepted by its verifier, and for no other statement", {
  timeout: 120_000,
}, async () => {
  const proof = await proofOf("builtin", "builtin:ivc-minroot", "--verifier-image", "builtin:ivc-minroot-verify");
  expect(JSON.parse((await judge(proof)).stdout)).toMatchObject({
    accepted: true,
    z: [expect.any(String), expect.any(String)],
  });
  const others = [
    { ...STATEMENT, steps: "2" },
    { ...STATEMENT, steps: "4" },
    { ...STATEMENT, x: "1" },
    { ...STATEMENT, y: "0" },
  ];
  for (const other of others) expect((await judge(proof, other)).code, JSON.stringify(other)).toBe(1);
  const bytes = Buffer.from(proof, "base64").length;
  for (const at of [0, 1, 100, Math.floor(bytes / 2), bytes - 1]) {
    expect((await judge(flipped(proof, at))).code, `byte ${at}`).toBe(1);
  }
});

test.skipIf(noEngine !== null)("so is one that a container makes", { timeout: 120_000 }, async () => {
  const proof = await proofOf("container", await cluster.publish("ivc-minroot"));
  expect((await judge(proof)).code).toBe(0);
});

/** Bytes that change on the coordinator's disk after they were acknowledged, between real processes. */
import { createHash } from "node:crypto";
import { readFileSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";

const FEW = 9_000;
const MANY = 3 * 2 ** 20;

let cluster: Cluster;
let serviceId: string;
beforeAll(async () => {
  cluster = await startCluster();
  serviceId = (await cluster.client().readyService("echo", { image: "builtin:echo" })).service_id;
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** JSON text of so many bytes; another one for each letter. */
function inputOf(letter: string, bytes: number): string {
  return JSON.stringify(letter.repeat(bytes - 2));
}

/** Where the coordinator keeps the bytes. */
function fileOf(text: string): string {
  return join(
    cluster.folder,
    "blobs",
    "data",
    cluster.firstKey.teamId,
    createHash("sha256").update(text).digest("hex"),
  );
}

function flipBit(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

test.each([
  ["a damaged", FEW, flipBit],
  ["a damaged", MANY, flipBit],
  ["a missing", FEW, unlinkSync],
])("%s input of %i bytes fails the task at its first attempt, and no prover is given it", async (_, bytes, damage) => {
  const client = cluster.client();
  const agent = cluster.agents[0];
  await agent?.kill();
  const input = inputOf("i", bytes);
  const { task_id } = await client.postTask(serviceId, input);
  damage(fileOf(input));
  await agent?.start();
  const ended = await client.ended(task_id);
  expect([ended.state, ended.failure?.reason, ended.failure?.retryable]).toEqual(["FAILURE", "input_corrupt", true]);
  expect([ended.failure?.attempts, ended.input, ended.result]).toEqual([1, null, null]);
});

test("a damaged or missing result is not served, and is served again once the same bytes were sent again", async () => {
  const client = cluster.client();
  const input = inputOf("r", FEW);
  const { task_id } = await client.prove(serviceId, input);
  const path = `/v1/tasks/${task_id}/result`;
  const { text } = await client.call(path);
  for (const damage of [flipBit, (file: string) => truncateSync(file, 100), unlinkSync]) {
    damage(fileOf(text));
    const { status, json } = await client.call(path);
    expect([status, (json as { readonly code: string }).code]).toEqual([502, "result_corrupt"]);
    const record = await client.ended(task_id);
    expect([record.state, record.result, record.result_omitted]).toEqual(["SUCCESS", null, true]);
  }
  await client.prove(serviceId, input);
  const again = await client.call(path);
  expect([again.status, again.text === text]).toEqual([200, true]);
});

test("a large damaged result breaks off before its end", async () => {
  const client = cluster.client();
  const input = inputOf("l", MANY);
  const { task_id } = await client.prove(serviceId, input);
  const path = `/v1/tasks/${task_id}/result`;
  flipBit(fileOf((await client.call(path)).text));
  const read = client.call(path).then(({ status, text }) => `${status} with ${text.length} characters`);
  await expect(read).rejects.toThrow();
  const metrics = await (await fetch(cluster.coordinators[0]?.metricsUrl ?? "")).text();
  expect(Number(/^elastic_blobs_corrupt_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(5);
});

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import type { Agent } from "../cluster/agent.ts";
import type { ApiClient } from "../cluster/api-client.ts";
import { startCluster } from "../cluster/cluster.ts";

const TASKS = 200;
const SLOTS = 2;
/** On a busy machine. */
const WITHIN = { timeout: 90_000 };

interface NodeRecord {
  readonly state: string;
  readonly running_attempts: number;
  readonly workloads: number;
  readonly drain: { readonly asked_by: string | null } | null;
}

test("a drained node finishes its proofs and accepts no new ones; none fails or is proved twice; resumed, it accepts work", {
  timeout: 240_000,
}, async () => {
  await using cluster = await startCluster({ agents: 2, agentSettings: { ELASTIC_SLOTS: String(SLOTS) } });
  const client = cluster.client();
  const [drained, other] = cluster.agents;
  if (drained === undefined || other === undefined) throw new Error("the cluster has two agents");
  const scaling = { min: 2 * SLOTS, max: 2 * SLOTS };
  const { service_id: serviceId } = await client.readyService("sleeps", { image: "builtin:sleep", scaling });
  const workloadsOn = async (agent: Agent) => (await nodeOf(client, agent)).workloads;
  await expect.poll(async () => [await workloadsOn(drained), await workloadsOn(other)], WITHIN).toEqual([SLOTS, SLOTS]);

  const post = (ms: number) => client.postTask(serviceId, `{"ms":${ms}}`);
  // Proofs that run there when the drain begins, and for a while after.
  const long = await Promise.all(Array.from({ length: 2 * SLOTS }, () => post(5_000)));
  const ids = long.map(({ task_id: id }) => id);
  while (ids.length < TASKS / 2) ids.push((await post(100)).task_id);
  await expect.poll(async () => (await nodeOf(client, drained)).running_attempts, WITHIN).toBe(SLOTS);
  const drain = await client.call(`/v1/nodes/${drained.nodeId}/drain`, { method: "POST" });
  expect([drain.status, (drain.json as NodeRecord).state]).toEqual([202, "DRAINING"]);
  while (ids.length < TASKS) ids.push((await post(100)).task_id);

  await expect.poll(async () => (await nodeOf(client, drained)).state, WITHIN).toBe("DRAINED");
  expect(await nodeOf(client, drained)).toMatchObject({ running_attempts: 0, workloads: 0 });
  const ended = await Promise.all(ids.map((id) => client.ended(id)));
  expect(ended.filter(({ state, attempt }) => state !== "SUCCESS" || attempt !== 1)).toEqual([]);
  const fromLinks = { last_heartbeat: expect.any(String), certificate_ends: expect.any(String) };
  expect(await nodeOf(client, drained)).toMatchObject({ state: "DRAINED", workloads: 0, ...fromLinks });

  // As its operator does on the machine; the agent there knows of the drain that was requested elsewhere.
  const onMachine = (...args: readonly string[]) => agentCommand(join(cluster.folder, "agent-1-state"), args);
  expect(await onMachine("status")).toContain("work      drained: nothing is left here\n");
  expect(await onMachine("resume")).toBe("takes work\n");
  await expect.poll(() => workloadsOn(drained), WITHIN).toBe(SLOTS);
  const again = await Promise.all(Array.from({ length: 2 * SLOTS }, () => post(2_000)));
  await expect.poll(async () => (await nodeOf(client, drained)).running_attempts, WITHIN).toBe(SLOTS);
  expect(await onMachine("drain", "--wait")).toBe("drained: nothing is left here\n");
  expect((await nodeOf(client, drained)).drain).toMatchObject({ asked_by: null });
  for (const { task_id: id } of again) expect(await client.ended(id)).toMatchObject({ state: "SUCCESS", attempt: 1 });
});

async function nodeOf(client: ApiClient, { nodeId }: Agent): Promise<NodeRecord> {
  return (await client.call(`/v1/nodes/${nodeId}`)).json as NodeRecord;
}

async function agentCommand(stateDir: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH ?? "", ELASTIC_STATE_DIR: stateDir };
  const { stdout } = await promisify(execFile)(process.execPath, [inRepository("agent", "main.ts"), ...args], { env });
  return stdout;
}

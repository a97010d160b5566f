import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import type { ClusterClient } from "./cluster-client.ts";
import { keepCluster } from "./cluster-keeper.ts";
import type { NetworkPolicy } from "./open-policies.ts";

const log = createLog({ name: "test", level: "silent" });
const NOTHING = { configFile: null, namespace: null, nodeSelector: {}, pullSecret: null, runtimeClass: null };
const SETTING = { ...NOTHING, gpuResource: "nvidia.com/gpu", gpus: 2 };

const unused = () => Promise.reject(new Error("not requested here"));
const clientWith = (version: () => Promise<string>, policies: readonly NetworkPolicy[] | null = []): ClusterClient => ({
  namespace: "provers",
  version,
  listPods: async () => [],
  listNodes: async () => null,
  listPolicies: async () => policies,
  ...{ createPod: unused, deletePod: unused, readLog: unused, followLog: unused },
  ...{ policy: unused, createPolicy: unused, listAllPods: unused },
});

async function look(version: () => Promise<string>) {
  const changes: string[] = [];
  const client = clientWith(version);
  const keeper = await keepCluster({
    client,
    setting: SETTING,
    nodeId: "n",
    onChange: () => changes.push("change"),
    log,
  });
  await keeper.stop();
  return { keeper, changes };
}

test("has the GPUs that are set, without a request for what it may not read", async () => {
  const { keeper, changes } = await look(async () => "v1.34.2");
  expect([keeper.responds(), keeper.version(), keeper.gpus().length, changes.length]).toEqual([true, "v1.34.2", 2, 1]);
});

test("starts without its API server, and has nothing of the cluster until that responds", async () => {
  const { keeper, changes } = await look(unused);
  expect([keeper.responds(), keeper.version(), keeper.gpus().length, changes.length]).toEqual([false, null, 0, 0]);
});

test.each([
  ["none", [], []],
  ["one that permits provers egress", [{ metadata: { name: "open" }, spec: { egress: [{}] } }], ["open"]],
  ["policies that may not be listed", null, null],
] as const)("of %s publishes which permit provers egress, and logs it", async (_, policies, open) => {
  const lines: string[] = [];
  const write = (_fields: unknown, text: string) => void lines.push(text);
  const keeper = await keepCluster({
    client: clientWith(async () => "v1", policies),
    setting: SETTING,
    nodeId: "n",
    onChange: () => undefined,
    log: { ...log, warn: write, error: write } as typeof log,
  });
  await keeper.stop();
  expect(keeper.egressPolicies()).toEqual(open);
  expect(lines).toHaveLength(open?.length === 0 ? 0 : 1);
});

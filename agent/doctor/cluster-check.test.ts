import { expect, test } from "vitest";
import type { ClusterClient } from "../workloads/kubernetes/cluster-client.ts";
import { checkCluster } from "./cluster-check.ts";

const SETTING = {
  configFile: null,
  namespace: null,
  nodeSelector: {},
  pullSecret: null,
  runtimeClass: null,
  gpuResource: "nvidia.com/gpu",
  gpus: 2,
};

function check(policies: Awaited<ReturnType<ClusterClient["listPolicies"]>>) {
  const client: Partial<ClusterClient> = {
    namespace: "provers",
    version: async () => "v1.34.2",
    listPods: async () => [],
    listNodes: async () => null,
    listAllPods: async () => null,
    listPolicies: async () => policies,
  };
  return checkCluster(SETTING, async () => client as ClusterClient);
}

test("fails where a NetworkPolicy permits provers egress, with its name and what to do", async () => {
  const spec = { podSelector: {}, policyTypes: ["Egress"], egress: [{}] };
  expect(await check([{ metadata: { name: "allow-all" }, spec }])).toMatchObject({
    level: "fail",
    finding: expect.stringContaining("permit provers egress: allow-all"),
    remedy: expect.stringContaining("podSelector"),
  });
});

test("warns where a NetworkPolicy permits provers further ingress", async () => {
  const spec = { podSelector: {}, policyTypes: ["Ingress"], ingress: [{}] };
  expect(await check([{ metadata: { name: "from-all" }, spec }])).toMatchObject({
    level: "warn",
    finding: expect.stringContaining("permit provers ingress from others than agents: from-all"),
  });
});

test("warns where the agent may not list NetworkPolicies, and names the Role", async () => {
  expect(await check(null)).toMatchObject({ level: "warn", remedy: expect.stringContaining("rbac.yaml") });
});

test("is satisfied with the namespace's own policy", async () => {
  const spec = { podSelector: {}, policyTypes: ["Ingress", "Egress"] };
  expect(await check([{ metadata: { name: "elastic-provers" }, spec }])).toMatchObject({ level: "ok" });
});

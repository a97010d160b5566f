/** Whether the cluster whose namespace is this node responds, and what of it the agent may do. */
import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import type { ClusterSetting } from "../domain/cluster-setting.ts";
import { isServerAway } from "../workloads/kubernetes/cluster-client.ts";
import {
  POLICIES_REMEDY,
  POLICIES_UNREAD,
  readOpenPolicies,
  UNSEALED_REMEDY,
  unsealedText,
} from "../workloads/kubernetes/network-policy.ts";
import { openClusterClient } from "../workloads/kubernetes/open-cluster-client.ts";

export async function checkCluster(setting: ClusterSetting, open = openClusterClient): Promise<Check> {
  try {
    const client = await open(setting);
    const [version] = await Promise.all([client.version(), client.listPods({})]);
    const [nodes, pods] = await Promise.all([client.listNodes(setting.nodeSelector), client.listAllPods()]);
    const policies = await readOpenPolicies(client);
    const finding = `kubernetes ${version}, namespace ${client.namespace}`;
    if (policies !== null && policies.egress.length > 0) {
      return fail(
        "engine",
        `${finding}: ${unsealedText(client.namespace, policies.egress)}, so that none starts`,
        UNSEALED_REMEDY,
      );
    }
    if (policies === null) return warn("engine", `${finding}: ${POLICIES_UNREAD}`, POLICIES_REMEDY);
    if (policies.ingress.length > 0) {
      return warn(
        "engine",
        `${finding}: ${unsealedText(client.namespace, policies.ingress, "ingress from others than agents")}`,
        UNSEALED_REMEDY,
      );
    }
    if (setting.gpus !== null || (nodes !== null && pods !== null)) return ok("engine", finding);
    return warn(
      "engine",
      `${finding}, whose nodes and Pods it may not read: it has no GPUs`,
      "apply deploy/kubernetes/capacity.yaml, or set ELASTIC_KUBERNETES_GPUS",
    );
  } catch (error) {
    const { message } = error as Error;
    const remedy = isServerAway(error)
      ? "give the agent a way to the API server and the rights of deploy/kubernetes/rbac.yaml (ELASTIC_KUBERNETES_CONFIG)"
      : "apply deploy/kubernetes/rbac.yaml";
    return fail("engine", `the cluster cannot be used: ${message}`, remedy);
  }
}

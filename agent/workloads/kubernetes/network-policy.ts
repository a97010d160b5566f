/** The rule of a namespace that seals its provers off: no egress, and no ingress but from agents to the prover's port. */
import { isDeepStrictEqual } from "node:util";
import { StartFailure } from "../../domain/start-failure.ts";
import { PROVER_PORT } from "../docker/container-env.ts";
import type { ClusterClient } from "./cluster-client.ts";
import { type OpenPolicies, openPolicies } from "./open-policies.ts";
import { AGENT_KIND, LABELS, PROVER_KIND } from "./pod-labels.ts";

const POLICY_NAME = "elastic-provers";
const NAMED_MAX = 5;

type PolicyClient = Pick<ClusterClient, "namespace" | "policy" | "createPolicy" | "listPolicies">;

function policyManifest() {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: POLICY_NAME },
    spec: {
      podSelector: { matchLabels: { [LABELS.kind]: PROVER_KIND } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: { [LABELS.kind]: AGENT_KIND } } }],
          ports: [{ port: PROVER_PORT, protocol: "TCP" }],
        },
      ],
    },
  };
}

/** Looked at before each start: no prover starts in a namespace whose rule is another, or where a second one permits egress. */
export async function requirePolicy(client: PolicyClient): Promise<void> {
  const found = await client.policy(POLICY_NAME);
  if (found === null) await client.createPolicy(policyManifest());
  else if (!isDeepStrictEqual(found.spec, policyManifest().spec)) {
    throw new StartFailure(
      "internal",
      `the NetworkPolicy ${POLICY_NAME} of the namespace ${client.namespace} was changed, so that provers might not be ` +
        "sealed off: nothing was started; delete it, and the agent creates it again",
    );
  }
  const { egress = [] } = (await readOpenPolicies(client)) ?? {};
  if (egress.length === 0) return;
  throw new StartFailure(
    "internal",
    `${unsealedText(client.namespace, egress)}: nothing was started; ${UNSEALED_REMEDY}`,
  );
}

/** Names of the others that permit provers something. Null where the agent may not read them. */
export async function readOpenPolicies(client: Pick<ClusterClient, "listPolicies">): Promise<OpenPolicies | null> {
  const policies = await client.listPolicies();
  return policies && openPolicies(policies.filter(({ metadata }) => metadata.name !== POLICY_NAME));
}

export const UNSEALED_REMEDY =
  "delete them, or have their podSelector leave out Pods with the label elastic.io/kind: prover";

export function unsealedText(namespace: string, names: readonly string[], what = "egress"): string {
  return `NetworkPolicies of the namespace ${namespace} permit provers ${what}: ${names.slice(0, NAMED_MAX).join(", ")}`;
}

export const POLICIES_UNREAD = "the agent may not list the NetworkPolicies of its namespace";
export const POLICIES_REMEDY = "apply deploy/kubernetes/rbac.yaml, which has grants for it since this version";

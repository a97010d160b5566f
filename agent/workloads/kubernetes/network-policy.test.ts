import { expect, test } from "vitest";
import { requirePolicy } from "./network-policy.ts";
import type { NetworkPolicy } from "./open-policies.ts";

const OPEN: NetworkPolicy = {
  metadata: { name: "allow-all-egress" },
  spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{}] },
};

/** A namespace with further policies; null where they may not be listed. */
function namespace(others: readonly NetworkPolicy[] | null) {
  const created: NetworkPolicy[] = [];
  return {
    namespace: "provers",
    policy: async () => created[0] ?? null,
    createPolicy: async (manifest: object) => void created.push(manifest as NetworkPolicy),
    listPolicies: async () => others && [...created, ...others],
    created,
  };
}

test("creates the policy of the namespace once, and takes it as it was created", async () => {
  const cluster = namespace([]);
  await requirePolicy(cluster);
  await requirePolicy(cluster);
  expect(cluster.created).toMatchObject([{ metadata: { name: "elastic-provers" } }]);
});

test("refuses a start where a second policy permits provers egress, and names it and what to do", async () => {
  const refused = requirePolicy(namespace([OPEN]));
  await expect(refused).rejects.toMatchObject({ reason: "internal" });
  await expect(refused).rejects.toThrow(/provers permit provers egress: allow-all-egress: nothing was started; delete/);
});

test("refuses a start where its own policy was changed", async () => {
  const cluster = namespace([]);
  cluster.created.push({ ...OPEN, metadata: { name: "elastic-provers" } });
  await expect(requirePolicy(cluster)).rejects.toThrow("elastic-provers of the namespace provers was changed");
});

test("starts where the Role of an earlier version does not grant the list", async () => {
  await requirePolicy(namespace(null));
});

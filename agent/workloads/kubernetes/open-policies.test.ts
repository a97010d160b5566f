import { expect, test } from "vitest";
import { type NetworkPolicy, openPolicies } from "./open-policies.ts";

type Spec = NonNullable<NetworkPolicy["spec"]>;

const isFound = (spec: Spec) => openPolicies([{ metadata: { name: "p" }, spec }]).egress.length === 1;
const selecting = (podSelector: Spec["podSelector"]): Spec => ({
  ...(podSelector === undefined ? {} : { podSelector }),
  policyTypes: ["Egress"],
  egress: [{}],
});
const where = (key: string, operator: string, ...values: readonly string[]): Spec =>
  selecting({ matchExpressions: [{ key, operator, ...(values.length === 0 ? {} : { values }) }] });

test.each([
  ["of all Pods", selecting({})],
  ["without a selector", selecting(undefined)],
  ["of provers", selecting({ matchLabels: { "elastic.io/kind": "prover" } })],
  ["of one team's Pods", selecting({ matchLabels: { "elastic.io/team": "t" } })],
  ["of kinds that provers are among", where("elastic.io/kind", "In", "agent", "prover")],
  ["of every kind but agents", where("elastic.io/kind", "NotIn", "agent")],
  ["of Pods that have a kind", where("elastic.io/kind", "Exists")],
  ["of Pods without some label of others", where("app", "DoesNotExist")],
  ["of Pods whose label of others has another value", where("app", "NotIn", "web")],
  ["of an operator that is not known", where("app", "Like", "web")],
  ["of names alone", { podSelector: {}, policyTypes: ["Egress"], egress: [{ ports: [{ port: 53 }] }] }],
  ["without types", { podSelector: {}, egress: [{}] }],
] as const)("finds a policy with egress %s", (_, spec) => {
  expect(isFound(spec)).toBe(true);
});

test.each([
  ["of agents", selecting({ matchLabels: { "elastic.io/kind": "agent" } })],
  ["of an application", selecting({ matchLabels: { app: "web" } })],
  ["of provers of an application", selecting({ matchLabels: { "elastic.io/kind": "prover", app: "web" } })],
  ["of every kind but provers", where("elastic.io/kind", "NotIn", "prover")],
  ["of Pods without a kind", where("elastic.io/kind", "DoesNotExist")],
  ["of Pods with a label of others", where("app", "Exists")],
] as const)("passes over a policy with egress %s", (_, spec) => {
  expect(isFound(spec)).toBe(false);
});

test.each([
  ["denies all", { podSelector: {}, policyTypes: ["Ingress", "Egress"] }],
  ["has an empty list", { podSelector: {}, policyTypes: ["Egress"], egress: [] }],
  ["has null", { podSelector: {}, policyTypes: ["Egress"], egress: null }],
  ["is of ingress", { podSelector: {}, policyTypes: ["Ingress"], egress: [{}] }],
] as const)("passes over a policy of all Pods that %s", (_, spec) => {
  expect(isFound(spec)).toBe(false);
});

test("finds the policies that permit ingress apart from those that permit egress", () => {
  const named = (name: string, spec: Spec): NetworkPolicy => ({ metadata: { name }, spec });
  const policies = [
    named("both", { egress: [{}], ingress: [{}] }),
    named("in", { policyTypes: ["Ingress"], egress: [{}], ingress: [{}] }),
    named("of agents", { podSelector: { matchLabels: { "elastic.io/kind": "agent" } }, ingress: [{}] }),
  ];
  expect(openPolicies(policies)).toEqual({ egress: ["both"], ingress: ["both", "in"] });
});

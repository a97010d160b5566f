/**
 * Which NetworkPolicies of a namespace permit provers egress, or ingress. Policies add up: what one of them permits, no other one takes
 * back, so the one that denies it to provers does so only while it is alone. Pure.
 */
import { LABELS, PROVER_KIND } from "./pod-labels.ts";

export interface NetworkPolicy {
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly podSelector?: LabelSelector;
    readonly policyTypes?: readonly string[];
    readonly egress?: readonly unknown[] | null;
    readonly ingress?: readonly unknown[] | null;
  };
}

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly Requirement[];
}

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Their names. */
export interface OpenPolicies {
  readonly egress: readonly string[];
  readonly ingress: readonly string[];
}

export function openPolicies(policies: readonly NetworkPolicy[]): OpenPolicies {
  const ofProvers = policies.filter(maySelectProver);
  const names = (direction: Direction): readonly string[] =>
    ofProvers.filter((policy) => permits(policy, direction)).map(({ metadata }) => metadata.name);
  return { egress: names("egress"), ingress: names("ingress") };
}

type Direction = keyof OpenPolicies;
const TYPES = { egress: "Egress", ingress: "Ingress" } as const;

/** Each rule does, if only of names: they carry data as well. */
function permits({ spec }: NetworkPolicy, direction: Direction): boolean {
  const rules = spec?.[direction] ?? [];
  return rules.length > 0 && (spec?.policyTypes === undefined || spec.policyTypes.includes(TYPES[direction]));
}

/** Of any service: the other labels of a prover's Pod have values that are not known here. */
function maySelectProver({ spec }: NetworkPolicy): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.podSelector ?? {};
  const requirements = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: "In", values: [value] })),
    ...matchExpressions,
  ];
  return requirements.every(mayMeet);
}

const ANY_VALUE: readonly string[] = Object.values(LABELS).filter((label) => label !== LABELS.kind);

function mayMeet({ key, operator, values = [] }: Requirement): boolean {
  const isKind = key === LABELS.kind;
  const isThere = isKind || ANY_VALUE.includes(key);
  switch (operator) {
    case "In":
      return isKind ? values.includes(PROVER_KIND) : isThere;
    case "NotIn":
      return isKind ? !values.includes(PROVER_KIND) : true;
    case "Exists":
      return isThere;
    case "DoesNotExist":
      return !isThere;
    default:
      return true;
  }
}

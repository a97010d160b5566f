/** How this agent's Pods are labelled: only the agent of the node that a Pod names touches it. */
import { createHash } from "node:crypto";

export const LABELS = {
  kind: "elastic.io/kind",
  node: "elastic.io/node",
  assignment: "elastic.io/assignment",
  role: "elastic.io/role",
  /** Start of the agent process that made it. */
  session: "elastic.io/session",
  deployment: "elastic.io/deployment",
  service: "elastic.io/service",
  team: "elastic.io/team",
} as const;

export const ANNOTATIONS = {
  /** The names that its labels may have only digests of. */
  node: "elastic.io/node-name",
  assignment: "elastic.io/assignment-name",
  /** Digest of what it was made for; another one means that it cannot be taken over. */
  spec: "elastic.io/spec",
  /** Of the node's inventory, comma-separated. */
  gpus: "elastic.io/gpus",
} as const;

export const PROVER_KIND = "prover";
export const AGENT_KIND = "agent";

const LABEL_VALUE = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** A name as a label's value: a digest where the cluster would refuse the name. */
export function labelValue(name: string): string {
  if (name === "" || LABEL_VALUE.test(name)) return name;
  return `sha256-${createHash("sha256").update(name).digest("hex").slice(0, 48)}`;
}

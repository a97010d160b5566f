/**
 * A machine with an agent, as the coordinator's record. Heartbeats never enter the store; only transitions do.
 *
 *   joining ─▶ ready ⇄ draining ─▶ gone          ready | draining ──silence──▶ lost ──hello──▶ ready
 */
import type { Instant } from "@elastic/std/clock.ts";

export interface NodeGpu {
  readonly uuid: string;
  readonly model: string;
  readonly memoryBytes: number;
  readonly driverVersion: string;
  /** Empty for a whole GPU. */
  readonly migProfile: string;
}

/** What the machine has, as its agent said at the last hello. */
export interface NodeInventory {
  readonly hostname: string;
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly gpus: readonly NodeGpu[];
  readonly slots: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Null when no engine answers there. */
  readonly engine: { readonly name: string; readonly version: string } | null;
  readonly builtinProvers: readonly string[];
}

export type NodeState = "ready" | "draining" | "lost" | "gone";

export interface Node {
  readonly id: string;
  readonly inventory: NodeInventory;
  readonly agentVersion: string;
  readonly state: NodeState;
  readonly since: Instant;
  /** Random for each start of the agent process. */
  readonly sessionId: string;
}

/** The record after a hello. A draining node that reconnects keeps draining. */
export function greeted(
  before: Node | null,
  hello: Pick<Node, "id" | "inventory" | "agentVersion" | "sessionId">,
  now: Instant,
): Node {
  const state: NodeState = before?.state === "draining" ? "draining" : "ready";
  return { ...hello, state, since: before?.state === state ? before.since : now };
}

export function lost(node: Node, now: Instant): Node {
  return { ...node, state: "lost", since: now };
}

/** The few requests that the agent makes to a Kubernetes API server. deploy/kubernetes/ grants just these. */
import type { NetworkPolicy } from "./open-policies.ts";
import type { ClusterNode, Pod } from "./pod.ts";

export interface ClusterClient {
  readonly namespace: string;
  /** Of the server. */
  version(): Promise<string>;
  /** Resolves to "exists" where a Pod of that name is there already. */
  createPod(manifest: object): Promise<"created" | "exists">;
  /** Of the namespace. */
  listPods(selector: Readonly<Record<string, string>>): Promise<readonly Pod[]>;
  /** One that is gone is deleted. */
  deletePod(name: string, graceSeconds: number): Promise<void>;
  readLog(name: string, tail: LogPart): Promise<Buffer>;
  /** What the container writes, from its last lines on, until it ends. */
  followLog(name: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  policy(name: string): Promise<{ readonly spec?: unknown } | null>;
  createPolicy(manifest: object): Promise<void>;
  /** Of the namespace. Null where the agent may not read them: the Role of earlier versions does not grant it. */
  listPolicies(): Promise<readonly NetworkPolicy[] | null>;
  /** Of the cluster, as the Pods of all namespaces. Null where the agent may not read them. */
  listNodes(selector: Readonly<Record<string, string>>): Promise<readonly ClusterNode[] | null>;
  listAllPods(): Promise<readonly Pod[] | null>;
}

export interface LogPart {
  readonly sinceMs: number;
  readonly lines: number;
}

/** The API server's refusal. */
export class ClusterRefusal extends Error {
  override readonly name = "ClusterRefusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** As it is refused to whom nothing grants it; quotas and admission refuse in other words, with the same status. */
const NOT_GRANTED = /^\S+ is forbidden: User |cannot \w+ resource/;

/**
 * Whether the server could not be reached, or was not able to respond: what was requested may be requested again. One that has
 * just started knows nobody's rights for a moment.
 */
export function isServerAway(error: unknown): boolean {
  if (!(error instanceof ClusterRefusal)) return true;
  const { status, message } = error;
  return status >= 500 || status === 429 || status === 401 || (status === 403 && NOT_GRANTED.test(message));
}

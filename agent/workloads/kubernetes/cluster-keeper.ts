/** Keeps what is known of the cluster: whether its API server responds, and how much of it this node has. */
import type { Gpu } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { Logger } from "@elastic/std/log.ts";
import { startLoop } from "@elastic/std/loop.ts";
import type { ClusterSetting } from "../../domain/cluster-setting.ts";
import { type Capacity, capacityOf } from "./capacity.ts";
import type { ClusterClient } from "./cluster-client.ts";
import { POLICIES_REMEDY, POLICIES_UNREAD, readOpenPolicies, UNSEALED_REMEDY, unsealedText } from "./network-policy.ts";
import { LABELS, labelValue, PROVER_KIND } from "./pod-labels.ts";

export interface ClusterKeeper {
  readonly client: ClusterClient;
  readonly setting: ClusterSetting;
  /** Of its API server; null before that has responded once. */
  version(): string | null;
  /** Whether it did when it was last looked at, within half a minute. */
  responds(): boolean;
  capacity(): Capacity;
  gpus(): readonly Gpu[];
  /** Policies that permit provers egress, so that none starts; null where they cannot be read. */
  egressPolicies(): readonly string[] | null;
  stop(): Promise<void>;
}

export interface ClusterKeeperOptions {
  readonly client: ClusterClient;
  readonly setting: ClusterSetting;
  readonly nodeId: string;
  /** Something of it is new. */
  readonly onChange: () => void;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 30_000;
const RETRY_MAX_MS = 60_000;
const UNKNOWN: Capacity = { gpus: [], cpuCores: null, memoryBytes: null, slots: null };

/** Resolves after the first look, whatever came of it. */
export async function keepCluster(options: ClusterKeeperOptions): Promise<ClusterKeeper> {
  const { client, setting, nodeId, onChange, log } = options;
  let version: string | null = null;
  let capacity = UNKNOWN;
  let isAway = true;
  let open: readonly string[] | null | undefined;

  const look = async (): Promise<void> => {
    const [newVersion, nodes, allPods, ownPods, policies] = await Promise.all([
      client.version(),
      client.listNodes(setting.nodeSelector),
      setting.gpus === null ? client.listAllPods() : null,
      client.listPods({ [LABELS.kind]: PROVER_KIND, [LABELS.node]: labelValue(nodeId) }),
      readOpenPolicies(client),
    ]);
    const nowOpen = policies?.egress ?? null;
    if (JSON.stringify(nowOpen) !== JSON.stringify(open)) logPolicies(log, client.namespace, nowOpen, open);
    open = nowOpen;
    isAway = false;
    const before = textOf(version, capacity);
    version = newVersion;
    capacity = capacityOf({ nodeId, namespace: client.namespace }, setting, { nodes, allPods, ownPods });
    if (textOf(version, capacity) !== before) onChange();
  };
  const onFailure = (error: unknown): void => {
    isAway = true;
    log.warn({ err: error }, "the cluster cannot be looked at: what this node has of it stays as it was");
  };

  await look().catch(onFailure);
  const loop = startLoop({
    everyMs: LOOK_EVERY_MS,
    backoffMaxMs: RETRY_MAX_MS,
    turn: look,
    onOutcome: (outcome) => {
      if (outcome.kind === "failed") onFailure(outcome.error);
    },
  });
  return {
    client,
    setting,
    version: () => version,
    responds: () => !isAway,
    capacity: () => capacity,
    gpus: () => capacity.gpus,
    egressPolicies: () => open ?? null,
    stop: () => loop.stop(),
  };
}

function logPolicies(
  log: Logger,
  namespace: string,
  open: readonly string[] | null,
  before: readonly string[] | null | undefined,
): void {
  if (open === null)
    log.warn({ remedy: POLICIES_REMEDY }, `${POLICIES_UNREAD}: one that permits provers egress stays unnoticed`);
  else if (open.length > 0)
    log.error(
      { policies: open, remedy: UNSEALED_REMEDY },
      `${unsealedText(namespace, open)}: none is started, and those that run may connect`,
    );
  else if (before !== undefined) log.info("no NetworkPolicy of the namespace permits provers egress any longer");
}

function textOf(version: string | null, { gpus, ...rest }: Capacity): string {
  return JSON.stringify([version, rest, gpus.map(({ uuid, model, memoryBytes }) => [uuid, model, `${memoryBytes}`])]);
}

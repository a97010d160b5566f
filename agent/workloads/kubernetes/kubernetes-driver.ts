/** Runs provers as Pods of one namespace of a Kubernetes cluster, which together are one node. */
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@elastic/std/log.ts";
import type { Driver, FoundWorkload, Prover } from "../../domain/driver.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import { specDigest } from "../docker/container-config.ts";
import { dockerProver } from "../docker/docker-prover.ts";
import { checkHealth } from "../docker/health.ts";
import { type ClusterClient, isServerAway } from "./cluster-client.ts";
import { deletePod } from "./delete-pod.ts";
import type { Pod } from "./pod.ts";
import { keepPods, type PodKeeper } from "./pod-keeper.ts";
import { ANNOTATIONS } from "./pod-labels.ts";
import { type PodOwner, type PodSetting, podOf } from "./pod-manifest.ts";
import { stateOf } from "./pod-state.ts";
import { openPod } from "./running-pod.ts";
import { startPod } from "./start-pod.ts";

export interface KubernetesDriverOptions {
  readonly client: ClusterClient;
  readonly owner: PodOwner;
  readonly setting: PodSetting;
  readonly log: Logger;
}

/** A prover that an earlier agent left may still be at work for it. */
const ADOPT_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 100;

export function kubernetesDriver({ client, owner, setting, log }: KubernetesDriverOptions): Driver {
  const pods = keepPods(client, owner.nodeId, log);
  /** Pods that this process starts, has or removes. */
  const held = new Set<string>();
  let starts = 0;

  const holdWhile = async <P extends Prover | null>(name: string, bringUp: () => Promise<P>): Promise<P> => {
    held.add(name);
    const release = (): void => void held.delete(name);
    try {
      const prover = await bringUp();
      if (prover === null) release();
      else
        void prover.ended
          .then(() => prover.idle())
          .then(() => delay(HELD_AFTER_END_MS, undefined, { ref: false }))
          .then(release);
      return prover;
    } catch (error) {
      release();
      throw error;
    }
  };

  return {
    name: "kubernetes",
    find: async () => {
      const all = await pods.list().catch((error: unknown) => {
        // What it has is found when it is back; what needs no cluster does not wait for that.
        if (isServerAway(error)) return [];
        throw error;
      });
      return all
        .filter(({ metadata }) => metadata.annotations?.[ANNOTATIONS.node] === owner.nodeId)
        .filter(({ metadata }) => !held.has(metadata.name))
        .map((pod) => foundPod(pod, { client, pods }, holdWhile));
    },
    start: async (spec, report, signal) => {
      if (spec.volume !== null) throw new StartFailure("internal", NO_VOLUMES);
      starts += 1;
      const plan = podOf(spec, owner, setting, starts);
      if (plan.leftOut.length > 0) {
        log.warn({ assignmentId: spec.assignmentId, names: plan.leftOut }, "variables of the deployment were left out");
      }
      const { memoryBytes } = spec.resources;
      return await holdWhile(plan.name, () => startPod(plan, { client, pods, memoryBytes, report, signal }));
    },
  };
}

/** Its Pod is deleted meanwhile; one that the cluster would not delete is found again after that. */
const HELD_AFTER_END_MS = 15_000;

const NO_VOLUMES =
  "a node of a Kubernetes cluster has no data volumes: deploy the service to machines, by a label that only they have (resources.node_labels)";

type Hold = (name: string, bringUp: () => Promise<Prover | null>) => Promise<Prover | null>;

function foundPod(
  pod: Pod,
  { client, pods }: { readonly client: ClusterClient; readonly pods: PodKeeper },
  hold: Hold,
): FoundWorkload {
  const { name, annotations = {} } = pod.metadata;
  const remove = async (): Promise<void> => {
    await deletePod(client, pods, name);
  };
  return {
    assignmentId: annotations[ANNOTATIONS.assignment] ?? "",
    handle: name,
    remove,
    adopt: (spec, signal) =>
      hold(name, async () => {
        const prover = await adopt(pod, { client, pods }, spec, signal).catch(() => null);
        if (prover === null) await remove().catch(() => undefined);
        return prover;
      }),
  };
}

/** Null unless it is idle, and made for just this. */
async function adopt(
  pod: Pod,
  { client, pods }: { readonly client: ClusterClient; readonly pods: PodKeeper },
  spec: WorkloadSpec,
  signal: AbortSignal,
): Promise<Prover | null> {
  const { name, annotations, deletionTimestamp } = pod.metadata;
  const state = stateOf(pod, Date.now());
  if (state.kind !== "running" || deletionTimestamp !== undefined) return null;
  if (annotations?.[ANNOTATIONS.spec] !== specDigest(spec)) return null;
  const running = openPod({ client, pods, name, ip: state.ip });
  for (const until = performance.now() + ADOPT_WITHIN_MS; performance.now() < until && !signal.aborted; ) {
    const health = await checkHealth(running.http, signal);
    if (health.kind === "ready" && health.busy !== true) return dockerProver(running);
    await delay(LOOK_EVERY_MS);
  }
  await running.remove();
  return null;
}

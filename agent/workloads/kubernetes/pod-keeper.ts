/**
 * Looks at this node's Pods once a second for all that run or start here, with one request. A server that does not respond
 * changes nothing: its Pods run on, and what happened to them is seen when it is back.
 */
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import type { ClusterClient } from "./cluster-client.ts";
import type { Pod } from "./pod.ts";
import { LABELS, labelValue, PROVER_KIND } from "./pod-labels.ts";

export interface PodKeeper {
  list(): Promise<readonly Pod[]>;
  /** Calls back after each look with the Pod of that name, null where there is none. Returns what ends that. */
  follow(name: string, onSeen: (pod: Pod | null) => void): () => void;
  /** Looks at once. Returns whether the server responded. */
  look(): Promise<boolean>;
}

const LOOK_EVERY_MS = 1_000;

export function keepPods(client: ClusterClient, nodeId: string, log: Pick<Logger, "warn" | "info">): PodKeeper {
  const followers = new Map<string, (pod: Pod | null) => void>();
  let isLooping = false;
  let isAway = false;
  let looking: Promise<boolean> | null = null;

  const list = (): Promise<readonly Pod[]> =>
    client.listPods({ [LABELS.kind]: PROVER_KIND, [LABELS.node]: labelValue(nodeId) });

  const lookOnce = async (): Promise<boolean> => {
    // Who follows from now on is not yet in what is returned.
    const seeing = [...followers];
    try {
      const pods = new Map((await list()).map((pod) => [pod.metadata.name, pod]));
      for (const [name, onSeen] of seeing) if (followers.get(name) === onSeen) onSeen(pods.get(name) ?? null);
      if (isAway) log.info("the API server of the cluster responds again");
      isAway = false;
      return true;
    } catch (error) {
      if (!isAway) log.warn({ err: error }, "the API server of the cluster does not respond: its Pods run on");
      isAway = true;
      return false;
    }
  };

  const look = (): Promise<boolean> => {
    looking ??= lookOnce().finally(() => {
      looking = null;
    });
    return looking;
  };

  const loop = async (): Promise<void> => {
    if (isLooping) return;
    isLooping = true;
    const never = new AbortController().signal;
    while (followers.size > 0) {
      await look();
      await pause(LOOK_EVERY_MS, never);
    }
    isLooping = false;
  };

  return {
    list,
    follow: (name, onSeen) => {
      followers.set(name, onSeen);
      void loop();
      return () => void followers.delete(name);
    },
    look,
  };
}

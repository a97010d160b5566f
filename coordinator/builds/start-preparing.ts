/** Prepares builds from repositories while this coordinator leads: as they come, and again what could not be settled. */
import type { Logger } from "@elastic/std/log.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import { type PrepareOptions, prepareBuild } from "./prepare-build.ts";

export interface PreparingOptions extends PrepareOptions {
  readonly isLeading: () => boolean;
  readonly loops: LoopMetrics;
  readonly log: Logger;
}

/** Each reads from a host and writes to the blobs. */
const AT_ONCE = 32;
/** A team whose host hangs holds no other up. */
const AT_ONCE_PER_TEAM = 4;
const LOOK_EVERY_MS = 1_000;
const RETRY_MS_MAX = 15_000;

interface Failing {
  readonly waitMs: number;
  readonly notBefore: number;
}

export function startPreparing(options: PreparingOptions): { stop(): Promise<void> } {
  const { store, isLeading: isActive, loops, clock, log } = options;
  const underWay = new Map<string, { readonly teamId: string; readonly ended: Promise<void> }>();
  const failing = new Map<string, Failing>();
  const prepare = async (id: string): Promise<void> => {
    try {
      await prepareBuild(options, id);
      failing.delete(id);
    } catch (error) {
      const waitMs = Math.min(RETRY_MS_MAX, 2 * (failing.get(id)?.waitMs ?? LOOK_EVERY_MS / 2));
      failing.set(id, { waitMs, notBefore: clock.now() + waitMs });
      log.warn({ err: error, buildId: id }, "a build could not be prepared and is retried");
    }
    underWay.delete(id);
  };
  const mayStart = ({ id, teamId }: { readonly id: string; readonly teamId: string }): boolean => {
    if (underWay.has(id) || (failing.get(id)?.notBefore ?? 0) > clock.now()) return false;
    return [...underWay.values()].filter((one) => one.teamId === teamId).length < AT_ONCE_PER_TEAM;
  };
  const look = (): void => {
    for (const { value } of store.view.builds.values()) {
      if (underWay.size >= AT_ONCE) return;
      if (value.state.kind !== "preparing" || !mayStart(value)) continue;
      underWay.set(value.id, { teamId: value.teamId, ended: prepare(value.id) });
    }
  };
  const loop = startMeteredLoop({
    name: "prepare_builds",
    everyMs: LOOK_EVERY_MS,
    firstAfterMs: 0,
    isActive,
    turn: look,
    loops,
    log,
    failure: "builds could not be looked for",
  });
  const unsubscribe = store.view.builds.subscribe(({ before, after }) => {
    if (after?.value.state.kind === "preparing") loop.wake();
    else if (before !== undefined) failing.delete(before.value.id);
  });
  return {
    stop: async () => {
      unsubscribe();
      await loop.stop();
      await Promise.all([...underWay.values()].map(({ ended }) => ended));
    },
  };
}

/** Follows builds that something follows, while this coordinator leads: deploys their images and reports at their commits. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Build } from "../domain/build.ts";
import { isReleasing } from "../domain/release.ts";
import type { Versioned } from "../domain/versioned.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import type { DeployBuildOptions } from "./deploy-build.ts";
import { ReleaseReporter, type ReportOptions } from "./report-release.ts";
import { stepRelease } from "./step-release.ts";

export interface ReleasingOptions extends DeployBuildOptions, Omit<ReportOptions, "store" | "clock"> {
  readonly clock: Clock;
  readonly isLeading: () => boolean;
  readonly loops: LoopMetrics;
  readonly log: Logger;
}

/** What no record's change announces: a status to be sent again, and a start as the leader. */
const LOOK_EVERY_MS = 1_000;

export function startReleasing(options: ReleasingOptions): { stop(): Promise<void> } {
  const { store, isLeading: isActive, loops, clock, log } = options;
  const { builds, rollOuts } = store.view;
  const reporter = new ReleaseReporter(options);
  const underWay = new Map<string, Promise<void>>();
  const serve = async (build: Versioned<Build>): Promise<void> => {
    try {
      await stepRelease(options, build);
      const now = builds.get(build.value.id) ?? build;
      if (reporter.isDue(now.value, clock.now())) await reporter.report(now);
    } catch (error) {
      log.warn({ err: error, buildId: build.value.id }, "a step of a build's release failed and is retried");
    }
  };
  const look = (): void => {
    reporter.forget((id) => builds.get(id) !== undefined);
    for (const build of builds.values()) {
      const { id, release } = build.value;
      if (release === null || underWay.has(id)) continue;
      if (!isReleasing(release) && !reporter.isDue(build.value, clock.now())) continue;
      underWay.set(
        id,
        serve(build).finally(() => underWay.delete(id)),
      );
    }
  };
  const loop = startMeteredLoop({
    name: "follow_releases",
    everyMs: LOOK_EVERY_MS,
    firstAfterMs: 0,
    isActive,
    turn: look,
    loops,
    log,
    failure: "releases could not be looked for",
  });
  const unsubscribe = [
    builds.subscribe(({ after }) => {
      if (after !== undefined && after.value.release !== null) loop.wake();
    }),
    rollOuts.subscribe(() => loop.wake()),
  ];
  return {
    stop: async () => {
      for (const stop of unsubscribe) stop();
      await loop.stop();
      await Promise.all(underWay.values());
    },
  };
}

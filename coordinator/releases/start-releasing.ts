/** Follows builds that something follows, while this coordinator leads: deploys their images and reports at their commits. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Build } from "../domain/build.ts";
import { isReleasing } from "../domain/release.ts";
import type { Versioned } from "../store/store.ts";
import type { DeployBuildOptions } from "./deploy-build.ts";
import { ReleaseReporter, type ReportOptions } from "./report-release.ts";
import { stepRelease } from "./step-release.ts";

export interface ReleasingOptions extends DeployBuildOptions, Omit<ReportOptions, "store" | "clock"> {
  readonly clock: Clock;
  readonly isLeading: () => boolean;
  readonly log: Logger;
}

/** What no record's change announces: a status to be sent again, and a start as the leader. */
const LOOK_EVERY_MS = 1_000;

export function startReleasing(options: ReleasingOptions): { stop(): Promise<void> } {
  const { store, isLeading, clock, log } = options;
  const { builds, rollOuts } = store.view;
  const reporter = new ReleaseReporter(options);
  const underWay = new Map<string, Promise<void>>();
  const serve = async (build: Versioned<Build>): Promise<void> => {
    try {
      await stepRelease(options, build);
      const now = builds.get(build.value.id) ?? build;
      if (reporter.isDue(now.value, clock.now())) await reporter.report(now);
    } catch (error) {
      log.warn({ err: error, buildId: build.value.id }, "the release of a build could not go on and is tried again");
    }
  };
  const look = (): void => {
    if (!isLeading()) return;
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
  const unsubscribe = [
    builds.subscribe(({ after }) => {
      if (after !== undefined && after.value.release !== null) look();
    }),
    rollOuts.subscribe(look),
  ];
  const timer = setInterval(() => {
    reporter.forget((id) => builds.get(id) !== undefined);
    look();
  }, LOOK_EVERY_MS);
  look();
  return {
    stop: async () => {
      for (const stop of unsubscribe) stop();
      clearInterval(timer);
      await Promise.all(underWay.values());
    },
  };
}

/** Prepares builds from repositories while this coordinator leads: as they come, and again what could not be settled. */
import type { Logger } from "@elastic/std/log.ts";
import { type PrepareOptions, prepareBuild } from "./prepare-build.ts";

export interface PreparingOptions extends PrepareOptions {
  readonly isLeading: () => boolean;
  readonly log: Logger;
}

/** Of all teams: each reads from a host and writes to the blobs. */
const AT_ONCE = 8;
const LOOK_EVERY_MS = 1_000;

export function startPreparing(options: PreparingOptions): { stop(): Promise<void> } {
  const { store, isLeading, log } = options;
  const underWay = new Map<string, Promise<void>>();
  const prepare = (id: string): Promise<void> =>
    prepareBuild(options, id)
      .catch((error: unknown) =>
        log.warn({ err: error, buildId: id }, "a build could not be prepared and is tried again"),
      )
      .finally(() => underWay.delete(id));
  const look = (): void => {
    if (!isLeading()) return;
    for (const { value } of store.view.builds.values()) {
      if (underWay.size >= AT_ONCE) return;
      if (value.state.kind === "preparing" && !underWay.has(value.id)) underWay.set(value.id, prepare(value.id));
    }
  };
  const unsubscribe = store.view.builds.subscribe(({ after }) => {
    if (after?.value.state.kind === "preparing") look();
  });
  const timer = setInterval(look, LOOK_EVERY_MS);
  look();
  return {
    stop: async () => {
      unsubscribe();
      clearInterval(timer);
      await Promise.all(underWay.values());
    },
  };
}

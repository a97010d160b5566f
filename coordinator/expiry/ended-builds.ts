/** Forgets builds that ended long ago, with their logs. */

import type { Instant } from "@elastic/std/clock.ts";
import { buildsToForget } from "../domain/build.ts";
import { remove } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import type { TaskLogs } from "../task-logs/task-logs.ts";

interface Options {
  readonly store: Pick<Store, "commit" | "view">;
  readonly logs: Pick<TaskLogs, "remove">;
}

/** Returns how many were removed. */
export async function forgetBuilds({ store, logs }: Options, now: Instant): Promise<number> {
  const builds = [...store.view.builds.values()].map(({ value }) => value);
  const due = [...Map.groupBy(builds, ({ serviceId }) => serviceId).values()].flatMap((ofService) =>
    buildsToForget(ofService, now),
  );
  let removed = 0;
  for (const { id, teamId } of due) {
    const read = store.view.builds.get(id);
    if (read === undefined) continue;
    // The log first: what has no record is never looked for again.
    await logs.remove({ teamId, taskId: id });
    if ((await store.commit([remove("builds", read)])).kind === "committed") removed += 1;
  }
  return removed;
}

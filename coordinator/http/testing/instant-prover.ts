/** Ends tasks as they come, as scheduler and fleet would: what waits for one gets its response. */
import type { HttpFixture } from "./http-fixture.ts";
import { claimTask, succeedTask } from "./run-task.ts";

/** Those of the teams that are in `teamIds` by then. Returns how to stop. */
export function startInstantProver(api: HttpFixture, teamIds: ReadonlySet<string>): () => void {
  return api.store.view.tasks.subscribe(({ before, after }) => {
    if (before !== undefined || after?.value.phase.kind !== "queued" || !teamIds.has(after.value.teamId)) return;
    const { id } = after.value;
    // One that was cancelled in between is not to be proved any more.
    claimTask(api, id)
      .then(() => succeedTask(api, id, "proof"))
      .catch(() => undefined);
  });
}

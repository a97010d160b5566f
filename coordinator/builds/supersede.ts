/** Something newer takes the place of a build whose image was to be deployed. */
import { type Build, cancelled, isOpen } from "../domain/build.ts";
import type { Versioned } from "../domain/versioned.ts";
import { replace } from "../store/change.ts";
import type { Change } from "../store/store.ts";

/** `message` says for a person what takes its place. */
export function superseded(read: Versioned<Build>, message: string, now: number): Change {
  const { release } = read.value;
  if (release === null) throw new Error(`build ${read.value.id} has no release`);
  const ended = isOpen(read.value) ? cancelled(read.value, now) : read.value;
  const state = { kind: "superseded", deploymentId: null, message } as const;
  return replace("builds", read, { ...ended, release: { ...release, state } });
}

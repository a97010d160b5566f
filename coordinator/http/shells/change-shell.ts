/** A change of a shell's record, tried again when another was quicker. */
import type { AccessKey } from "../../domain/access-key.ts";
import type { Shell } from "../../domain/shell.ts";
import { updateRecord } from "../../store/update.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { Problem } from "../problems/problem.ts";

/** Returns the shell as it is then. `next` returns the same shell where there is nothing to do. */
export async function changeShell(
  { store }: Pick<RecordDeps, "store">,
  key: AccessKey,
  id: string,
  next: (shell: Shell) => Shell,
): Promise<Shell> {
  const { result } = await updateRecord(store, "shells", () => readVisible(store, key, "shells", id), next);
  return result;
}

export function refuseDeleted(shell: Shell): void {
  if (shell.state.kind === "deleted") throw new Problem("shell_deleted", "The shell was deleted.");
}

/** A change of a shell's record, tried again when another was quicker. */
import type { AccessKey } from "../../domain/access-key.ts";
import type { Shell } from "../../domain/shell.ts";
import { replace } from "../../store/change.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { readShell } from "./find-shell.ts";

const TRIES = 20;

/** Answers the shell as it stands then. `next` answers the same shell where there is nothing to do. */
export async function changeShell(
  { store }: Pick<HttpDeps, "store">,
  key: AccessKey,
  id: string,
  next: (shell: Shell) => Shell,
): Promise<Shell> {
  for (let tries = 0; tries < TRIES; tries++) {
    const shell = await readShell(store, key, id);
    const changed = next(shell.value);
    if (changed === shell.value) return changed;
    if ((await store.commit([replace("shells", shell, changed)])).kind === "committed") return changed;
  }
  throw new Problem("overloaded", "The shell changes too quickly; ask again in a moment.");
}

export function refuseDeleted(shell: Shell): void {
  if (shell.state.kind === "deleted") throw new Problem("shell_deleted", "The shell was deleted.");
}

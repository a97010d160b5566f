/** A shell that the key may see. What is unknown, malformed or another team's is refused in the same words. */
import { isId } from "@elastic/std/ids.ts";
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Shell } from "../../domain/shell.ts";
import type { Store, Versioned } from "../../store/store.ts";
import { notFound } from "../problem.ts";

/** As it is now. */
export async function readShell(store: Store, key: AccessKey, id: string): Promise<Versioned<Shell>> {
  const shell = isId(id) ? await store.get("shells", id) : null;
  if (shell === null || !mayUseTeam(store.view, key, shell.value.teamId)) throw notFound("shell");
  return shell;
}

/** A task that the key may see. What is unknown, malformed or another team's is refused in the same words and time. */
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { isTerminal, type Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { Store } from "../../store/store.ts";
import { readVisible } from "../access/read-visible.ts";

/** As of now: an ended task never changes, so it is read from the view; any other is read from the store. */
export async function findTask(store: Store, key: AccessKey, id: string): Promise<Versioned<Task>> {
  const seen = seenTask(store, key, id);
  if (seen !== null && isTerminal(seen.value.phase)) return seen;
  return readVisible(store, key, "tasks", id);
}

/** As the view has it, which may be behind; null says nothing. */
export function seenTask({ view }: Pick<Store, "view">, key: AccessKey, id: string): Versioned<Task> | null {
  const seen = view.tasks.get(id);
  return seen !== undefined && mayUseTeam(view, key, seen.value.teamId) ? seen : null;
}

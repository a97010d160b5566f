/**
 * The keys that a key may see and revoke: those of its user, and of them, where it is bound to a team, those bound to
 * the same. What is unknown, malformed or another's is refused in the same words and time.
 */
import { isKeyId } from "../../auth/key-text.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { Store } from "../../store/store.ts";
import { notFound } from "../problems/problem.ts";

export function maySeeKey(caller: AccessKey, key: AccessKey): boolean {
  return key.userId === caller.userId && (caller.teamId === null || key.teamId === caller.teamId);
}

/** As it is now. */
export async function readKey(store: Store, caller: AccessKey, id: string): Promise<Versioned<AccessKey>> {
  const key = isKeyId(id) ? await store.get("access-keys", id) : null;
  if (key === null || !maySeeKey(caller, key.value)) throw notFound("access key");
  return key;
}

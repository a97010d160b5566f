/** Changes the keys in the caller's own record. */
import type { AuthorizedKey } from "../../domain/shell-login.ts";
import { replace } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { Problem } from "../problem.ts";

const TRIES = 5;

/** `change` answers null for nothing to change, and throws the refusal. */
export async function changeAuthorizedKeys(
  store: Pick<Store, "get" | "commit">,
  userId: string,
  change: (keys: readonly AuthorizedKey[]) => readonly AuthorizedKey[] | null,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const user = await store.get("users", userId);
    if (user === null) throw new Problem("key_invalid", "The access key's user is gone.");
    const authorizedKeys = change(user.value.authorizedKeys ?? []);
    if (authorizedKeys === null) return;
    const outcome = await store.commit([replace("users", user, { ...user.value, authorizedKeys })]);
    if (outcome.kind === "committed") return;
  }
  throw new Problem("overloaded", "Your keys change too quickly; ask again in a moment.");
}

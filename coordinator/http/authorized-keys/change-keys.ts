/** Changes the keys in the caller's own record. */
import type { AuthorizedKey } from "../../domain/shell-login.ts";
import type { Store } from "../../store/store.ts";
import { updateRecord } from "../../store/update.ts";
import { Problem } from "../problems/problem.ts";

/** `change` returns null for nothing to change, and throws the refusal. */
export async function changeAuthorizedKeys(
  store: Pick<Store, "get" | "commit">,
  userId: string,
  change: (keys: readonly AuthorizedKey[]) => readonly AuthorizedKey[] | null,
): Promise<void> {
  const read = async () => {
    const user = await store.get("users", userId);
    if (user === null) throw new Problem("key_invalid", "The access key's user is gone.");
    return user;
  };
  await updateRecord(store, "users", read, (user) => {
    const authorizedKeys = change(user.authorizedKeys ?? []);
    return authorizedKeys === null ? user : { ...user, authorizedKeys };
  });
}

/** Marks a user as one who runs this service, or no longer. It holds for the user's open sessions too. */
import type { User } from "../domain/team.ts";
import type { Store } from "../store/store.ts";
import { updateRecord } from "../store/update.ts";

export async function setOperator(store: Store, { id, name }: User, isOperator: boolean): Promise<void> {
  const read = async () => {
    const user = await store.get("users", id);
    if (user === null) throw new Error(`${name} is not there any more`);
    return user;
  };
  await updateRecord(store, "users", read, ({ operator: _, ...rest }) =>
    isOperator ? { ...rest, operator: true } : rest,
  );
}

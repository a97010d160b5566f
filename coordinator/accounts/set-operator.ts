/** Marks a user as one who runs this service, or no longer. It holds for the user's open sessions too. */
import type { User } from "../domain/team.ts";
import { replace } from "../store/change.ts";
import type { Store } from "../store/store.ts";

const TRIES = 20;

export async function setOperator(store: Store, { id, name }: User, isOperator: boolean): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const user = await store.get("users", id);
    if (user === null) throw new Error(`${name} is not there any more`);
    const { operator: _, ...rest } = user.value;
    const after: User = isOperator ? { ...rest, operator: true } : rest;
    if ((await store.commit([replace("users", user, after)])).kind === "committed") return;
  }
  throw new Error(`${name} changes too quickly: try again`);
}

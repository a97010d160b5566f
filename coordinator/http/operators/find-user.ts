/** A user as an operator names one. */
import { isId } from "@elastic/std/ids.ts";
import type { User } from "../../domain/team.ts";
import type { Store } from "../../store/store.ts";
import { notFound } from "../problems/problem.ts";

export async function readUser(store: Store, id: string): Promise<User> {
  const user = isId(id) ? await store.get("users", id) : null;
  if (user === null || user.value.deleted !== undefined) throw notFound("user");
  return user.value;
}

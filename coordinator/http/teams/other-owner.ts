/** A team keeps an owner, whoever leaves it or takes a lower role. */
import type { Membership } from "../../domain/team.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { Store } from "../../store/store.ts";
import { Problem } from "../problems/problem.ts";

/**
 * An owner other than the one who stops being one: the commit that ends it says that this one is unchanged. Null where
 * it is not an owner who goes. Throws the refusal of the last one.
 */
export async function otherOwner(store: Store, goes: Membership): Promise<Versioned<Membership> | null> {
  if (goes.role !== "owner") return null;
  for (const { value } of store.view.memberships.values()) {
    if (value.teamId !== goes.teamId || value.role !== "owner" || value.userId === goes.userId) continue;
    const owner = await store.get("memberships", `${value.userId}/${value.teamId}`);
    if (owner?.value.role === "owner") return owner;
  }
  throw new Problem("last_owner", "You are the team's last owner: make another member an owner first.");
}

/** The first user, team and access key of an empty store. */
import { createHash } from "node:crypto";
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { makeKey } from "../auth/make-key.ts";
import { isName, NAME_RULE } from "../domain/team.ts";
import { create } from "../store/change.ts";
import type { Store } from "../store/store.ts";

export interface FirstNames {
  readonly user: string;
  readonly team: string;
  readonly key: string;
}

export interface FirstKey {
  readonly userId: string;
  readonly teamId: string;
  /** Shown once: only its hash is stored. */
  readonly key: string;
}

/** Null when the store has its first user already. */
export async function bootstrapStore(store: Store, names: FirstNames, clock: Clock): Promise<FirstKey | null> {
  for (const name of Object.values(names)) refuseBadName(name);
  for (const _user of store.view.users.values()) return null;
  const now = clock.now();
  // The same for everyone who tries, so that of two at the same time one gets it.
  const userId = createHash("sha256").update(`first-user/${store.blobStoreId}`).digest("hex").slice(0, 32);
  const teamId = newId(now);
  const { record, text } = makeKey({
    name: names.key,
    userId,
    teamId: null,
    defaultTeamId: teamId,
    scopes: ["admin"],
    createdAt: now,
    expiresAt: null,
  });
  const outcome = await store.commit([
    create("users", { id: userId, name: names.user, createdAt: now }),
    create("teams", { id: teamId, name: names.team, createdAt: now }),
    create("memberships", { userId, teamId, role: "owner", createdAt: now }),
    create("access-keys", record),
  ]);
  return outcome.kind === "conflict" ? null : { userId, teamId, key: text };
}

export function refuseBadName(name: string): void {
  if (!isName(name)) throw new Error(`${JSON.stringify(name)} is not a name: ${NAME_RULE}`);
}

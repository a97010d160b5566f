/** The first user, team and access key of an empty store. */
import { createHash } from "node:crypto";
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { hashSecret } from "./auth/key-secret.ts";
import { formatKeyText, newKeyText } from "./auth/key-text.ts";
import type { AccessKey } from "./domain/access-key.ts";
import { create } from "./store/change.ts";
import type { Store } from "./store/store.ts";

export interface FirstNames {
  readonly user: string;
  readonly team: string;
  readonly key: string;
}

export interface FirstKey {
  readonly userId: string;
  readonly teamId: string;
  /** Shown once: only its hash is kept. */
  readonly key: string;
}

const NAME_LENGTH_MAX = 100;

/** Null when the store has its first user already. */
export async function bootstrapStore(store: Store, names: FirstNames, clock: Clock): Promise<FirstKey | null> {
  for (const name of Object.values(names)) refuseBadName(name);
  for (const _user of store.view.users.values()) return null;
  const now = clock.now();
  // The same for everyone who tries, so that of two at the same time one gets it.
  const userId = createHash("sha256").update(`first-user/${store.blobStoreId}`).digest("hex").slice(0, 32);
  const teamId = newId(now);
  const text = newKeyText();
  const outcome = await store.commit([
    create("users", { id: userId, name: names.user, createdAt: now }),
    create("teams", { id: teamId, name: names.team, createdAt: now }),
    create("memberships", { userId, teamId, role: "owner", createdAt: now }),
    create("access-keys", firstKey({ id: text.id, secretSha256: hashSecret(text.secret), userId, teamId }, names, now)),
  ]);
  return outcome.kind === "conflict" ? null : { userId, teamId, key: formatKeyText(text) };
}

function firstKey(
  made: Pick<AccessKey, "id" | "secretSha256" | "userId"> & { readonly teamId: string },
  names: FirstNames,
  now: number,
): AccessKey {
  return {
    id: made.id,
    name: names.key,
    userId: made.userId,
    teamId: null,
    defaultTeamId: made.teamId,
    scopes: ["admin"],
    secretSha256: made.secretSha256,
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
  };
}

function refuseBadName(name: string): void {
  if (name.trim() !== name || name === "" || name.length > NAME_LENGTH_MAX || /\p{C}/u.test(name)) {
    throw new Error(`${JSON.stringify(name)} is not a name: 1 to ${NAME_LENGTH_MAX} printable characters`);
  }
}

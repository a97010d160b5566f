/** Makes join tokens. The text is returned once; the store has its hash. */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { joinTokenText } from "../auth/id-secret-text.ts";
import { hashSecret } from "../auth/key-secret.ts";
import { type JoinToken, OPEN_TOKENS_MAX } from "../domain/join-token.ts";
import type { Versioned } from "../domain/versioned.ts";
import { create, remove } from "../store/change.ts";
import type { Change, Store } from "../store/store.ts";
import { update } from "../store/update.ts";

/** Of the expired ones that go with a new one: a commit is not for sweeping. */
const FORGOTTEN_AT_ONCE = 50;

export interface NewJoinToken {
  readonly nodeName: string | null;
  readonly seconds: number;
  readonly creatorId: string | null;
  /** What is written with it. */
  readonly also?: (record: JoinToken) => readonly Change[];
}

export interface MadeJoinToken {
  readonly record: JoinToken;
  readonly text: string;
}

/** Null when there are as many open ones as there may be. */
export async function makeJoinToken(store: Store, wanted: NewJoinToken, clock: Clock): Promise<MadeJoinToken | null> {
  const { result } = await update<readonly Versioned<JoinToken>[], MadeJoinToken | null>(store, {
    read: () => [...store.view.joinTokens.values()],
    decide: (tokens) => {
      const now = clock.now();
      const { open, expired } = sort(tokens, now);
      if (open >= OPEN_TOKENS_MAX) return { changes: [], result: null };
      const token = joinTokenText.create(newId(now));
      const record: JoinToken = {
        id: token.id,
        nodeName: wanted.nodeName,
        secretSha256: hashSecret(token.secret),
        creatorId: wanted.creatorId,
        createdAt: now,
        expiresAt: now + wanted.seconds * 1000,
        use: null,
      };
      const forgotten = expired.slice(0, FORGOTTEN_AT_ONCE).map((one) => remove("join-tokens", one));
      const result = { record, text: joinTokenText.format(token) };
      return { changes: [create("join-tokens", record), ...forgotten, ...(wanted.also?.(record) ?? [])], result };
    },
  });
  return result;
}

function sort(tokens: Iterable<Versioned<JoinToken>>, now: number) {
  let open = 0;
  const expired: Versioned<JoinToken>[] = [];
  for (const token of tokens) {
    if (now >= token.value.expiresAt) expired.push(token);
    else open += 1;
  }
  return { open, expired };
}

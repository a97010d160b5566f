/** Makes join tokens of pools. The text is returned once; the store has its hash. */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { joinTokenText } from "../auth/id-secret-text.ts";
import { hashSecret } from "../auth/key-secret.ts";
import type { Pool } from "../domain/pool.ts";
import { isPoolTokenOver, OPEN_POOL_TOKENS_MAX, type PoolToken } from "../domain/pool-token.ts";
import type { Versioned } from "../domain/versioned.ts";
import { create, unchanged } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { update } from "../store/update.ts";

interface NewPoolToken {
  readonly seconds: number;
  readonly usesMax: number;
  readonly creatorId: string | null;
}

interface MadePoolToken {
  readonly record: PoolToken;
  readonly text: string;
}

/** Null when the pool has as many open ones as it may have. `read` throws where there is no such pool. */
export async function makePoolToken(
  store: Store,
  read: () => Promise<Versioned<Pool>>,
  wanted: NewPoolToken,
  clock: Pick<Clock, "now">,
): Promise<MadePoolToken | null> {
  const { result } = await update<Versioned<Pool>, MadePoolToken | null>(store, {
    read,
    decide: (pool) => {
      const now = clock.now();
      const { id: poolId } = pool.value;
      const open = [...store.view.poolTokens.of(poolId)].filter(({ value }) => !isPoolTokenOver(value, now));
      if (open.length >= OPEN_POOL_TOKENS_MAX) return { changes: [], result: null };
      const token = joinTokenText.create(newId(now));
      const record: PoolToken = {
        id: token.id,
        poolId,
        secretSha256: hashSecret(token.secret),
        creatorId: wanted.creatorId,
        createdAt: now,
        expiresAt: now + wanted.seconds * 1000,
        usesMax: wanted.usesMax,
        uses: 0,
      };
      const changes = [unchanged("pools", pool), create("pool-tokens", record)];
      return { changes, result: { record, text: joinTokenText.format(token) } };
    },
  });
  return result;
}

/**
 * Which commands still count: those of the newest leader seen. A leader that was replaced may not know it yet. Leader
 * epochs are revisions of the store and start again in an older store that an operator accepted: the store's epoch, which
 * is raised then, goes before.
 */

export interface Epochs {
  /** 0 from a coordinator that does not send it: the same as the newest seen. */
  readonly storeEpoch: bigint;
  readonly leaderEpoch: bigint;
}

export interface LeaderEpoch {
  /** Whether what was decided under these epochs counts. */
  admits(epochs: Epochs): boolean;
  /** The same for a set of assignments, which also grows old within an epoch. */
  admitsSet(set: Epochs & { readonly generation: bigint }): boolean;
}

export function leaderEpoch(): LeaderEpoch {
  let newest: Epochs = { storeEpoch: 0n, leaderEpoch: 0n };
  /** Of the newest leader. */
  let newestGeneration = -1n;

  const admits = ({ storeEpoch: sent, leaderEpoch }: Epochs): boolean => {
    const storeEpoch = sent === 0n ? newest.storeEpoch : sent;
    if (storeEpoch < newest.storeEpoch) return false;
    if (storeEpoch === newest.storeEpoch && leaderEpoch < newest.leaderEpoch) return false;
    const isSame = storeEpoch === newest.storeEpoch && leaderEpoch === newest.leaderEpoch;
    if (!isSame) newestGeneration = -1n;
    newest = { storeEpoch, leaderEpoch };
    return true;
  };

  return {
    admits,
    admitsSet: (set) => {
      if (!admits(set) || set.generation < newestGeneration) return false;
      newestGeneration = set.generation;
      return true;
    },
  };
}

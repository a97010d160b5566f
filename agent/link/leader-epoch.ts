/** Which commands still count: those of the newest leader seen. A leader that was replaced may not know it yet. */

export interface LeaderEpoch {
  /** Whether what was decided under `epoch` counts. */
  admits(epoch: bigint): boolean;
  /** The same for a set of assignments, which also grows old within an epoch. */
  admitsSet(epoch: bigint, generation: bigint): boolean;
}

export function leaderEpoch(): LeaderEpoch {
  let newest = 0n;
  let generationOf = { epoch: 0n, generation: -1n };

  const admits = (epoch: bigint): boolean => {
    if (epoch < newest) return false;
    newest = epoch;
    return true;
  };

  return {
    admits,
    admitsSet: (epoch, generation) => {
      if (!admits(epoch)) return false;
      if (generationOf.epoch === epoch && generation < generationOf.generation) return false;
      generationOf = { epoch, generation };
      return true;
    },
  };
}

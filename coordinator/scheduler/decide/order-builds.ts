/**
 * The order in which builds that wait are given a place: teams take turns, the one that had its last run longest ago first, and each
 * takes its oldest build. So a team with many builds delays another one by one run. Pure.
 */
export interface WaitingBuild {
  readonly id: string;
  readonly teamId: string;
}

/** `lastRunOf`: when the team's newest run began; 0 for none. */
export function orderBuilds<T extends WaitingBuild>(
  builds: readonly T[],
  lastRunOf: (teamId: string) => number,
): readonly T[] {
  const ofTeam = new Map<string, number>();
  const ranked = builds
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map((build) => {
      const turn = ofTeam.get(build.teamId) ?? 0;
      ofTeam.set(build.teamId, turn + 1);
      return { build, turn, lastRun: lastRunOf(build.teamId) };
    });
  return ranked
    .toSorted((left, right) => left.turn - right.turn || left.lastRun - right.lastRun)
    .map(({ build }) => build);
}

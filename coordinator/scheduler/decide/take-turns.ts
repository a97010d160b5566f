/** In which order services take room: one step of one service at a time, of the team whose turn it is. */
import { MinHeap } from "@elastic/std/heap.ts";
import type { ServiceEntry } from "./entries.ts";
import { fairShareKey, firstRank, waitedForRoomMs } from "./fair-share-key.ts";
import type { SlotUsage } from "./slot-usage.ts";

/** Of one service; the rest comes with the next turn. */
const STEPS_A_TURN_MAX = 100;

interface Turn {
  readonly service: ServiceEntry;
  taken: number;
}

interface Team {
  readonly id: string;
  readonly waitedMs: number;
  readonly turns: Turn[];
  claim: number;
}

/** `step` returns whether the service may have more to do; `postpone` is called with one that had its steps and may. */
export function takeTurns(
  services: readonly ServiceEntry[],
  usage: SlotUsage,
  nowMs: number,
  { step, postpone }: { step(service: ServiceEntry): boolean; postpone(service: ServiceEntry): void },
): void {
  const [only] = services;
  if (only !== undefined && services.length === 1) {
    let taken = 0;
    while (taken < STEPS_A_TURN_MAX && step(only)) taken++;
    if (taken === STEPS_A_TURN_MAX) postpone(only);
    return;
  }
  const teams = new MinHeap<Team>((a, b) => a.claim < b.claim);
  for (const team of teamsOf(services, usage, nowMs)) teams.push(team);
  for (let team = teams.pop(); team !== undefined; team = teams.pop()) {
    const turn = team.turns.shift();
    if (turn === undefined) continue;
    // The services of a team take turns among themselves.
    if (step(turn.service)) {
      turn.taken++;
      if (turn.taken < STEPS_A_TURN_MAX) team.turns.push(turn);
      else postpone(turn.service);
    }
    team.claim = fairShareKey(usage, team.id, team.waitedMs, nowMs);
    if (team.turns.length > 0) teams.push(team);
  }
}

function teamsOf(services: readonly ServiceEntry[], usage: SlotUsage, nowMs: number): readonly Team[] {
  const byTeam = Map.groupBy(services, (service) => service.read?.value.teamId ?? "");
  return [...byTeam].map(([id, own]) => {
    const waitedMs = Math.max(...own.map((service) => waitedForRoomMs(service, nowMs)));
    const turns = byRank(own).map((service) => ({ service, taken: 0 }));
    return { id, waitedMs, turns, claim: fairShareKey(usage, id, waitedMs, nowMs) };
  });
}

/** Those whose first task is due before others', by priority and age; then those in which none waits. */
function byRank(services: readonly ServiceEntry[]): readonly ServiceEntry[] {
  if (services.length === 1) return services;
  return services
    .map((service) => ({ service, rank: firstRank(service) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
    .map(({ service }) => service);
}

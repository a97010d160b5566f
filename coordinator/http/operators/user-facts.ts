/** What an operator sees of each user, counted in one pass over the records. */
import type { Instant } from "@elastic/std/clock.ts";
import { endOfKey } from "../../domain/access-key.ts";
import { endOfSession } from "../../domain/session.ts";
import type { UserFacts } from "../../public/operator-record.ts";
import type { View } from "../../store/store.ts";

type Records = Pick<View, "memberships" | "teams" | "accessKeys" | "sessions">;

/** By user; those without any are left out. */
export function factsOfUsers(view: Records, now: Instant): ReadonlyMap<string, UserFacts> {
  const teams = new Map<string, UserFacts["teams"][number][]>();
  for (const { value: membership } of view.memberships.values()) {
    const team = view.teams.get(membership.teamId)?.value;
    if (team !== undefined) push(teams, membership.userId, { team, membership });
  }
  const keys = new Map<string, number>();
  for (const { value } of view.accessKeys.values()) {
    if (endOfKey(value, now) === null) keys.set(value.userId, (keys.get(value.userId) ?? 0) + 1);
  }
  const users = new Set([...teams.keys(), ...keys.keys(), ...view.sessions.groups()]);
  return new Map(
    [...users].map((id) => {
      const sessions = [...view.sessions.of(id)].map(({ value }) => value).filter((one) => endOfSession(one) > now);
      return [id, { teams: teams.get(id) ?? [], openKeys: keys.get(id) ?? 0, sessions }];
    }),
  );
}

export const NO_FACTS: UserFacts = { teams: [], openKeys: 0, sessions: [] };

function push<T>(groups: Map<string, T[]>, group: string, one: T): void {
  const others = groups.get(group);
  if (others === undefined) groups.set(group, [one]);
  else others.push(one);
}

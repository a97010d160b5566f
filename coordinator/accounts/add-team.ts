/** A new team, in which nobody is yet. */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { isDeleted, type Team } from "../domain/team.ts";
import { create } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { refuseBadName } from "./bootstrap.ts";

export async function addTeam(store: Store, name: string, clock: Clock): Promise<Team> {
  refuseBadName(name);
  for (const { value } of store.view.teams.values()) {
    if (value.name === name && !isDeleted(value))
      throw new Error(`there is a team ${JSON.stringify(name)} already: ${value.id}`);
  }
  const now = clock.now();
  const team = { id: newId(now), name, createdAt: now };
  const outcome = await store.commit([create("teams", team)]);
  if (outcome.kind === "conflict") throw new Error(`a new id was taken: ${team.id}`);
  return team;
}

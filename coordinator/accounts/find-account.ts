/** Users and teams as an operator names them: by id, or by a name that only one has. */
import type { Team, User } from "../domain/team.ts";
import type { RecordView, View } from "../store/store.ts";

export function findUser(view: Pick<View, "users">, nameOrId: string): User {
  return findOne(view.users, nameOrId, "user");
}

export function findTeam(view: Pick<View, "teams">, nameOrId: string): Team {
  return findOne(view.teams, nameOrId, "team");
}

function findOne<T extends { readonly id: string; readonly name: string; readonly deleted?: object }>(
  records: RecordView<T>,
  nameOrId: string,
  noun: "user" | "team",
): T {
  const all = [...records.values()].map(({ value }) => value).filter(({ deleted }) => deleted === undefined);
  const byId = all.find(({ id }) => id === nameOrId);
  if (byId !== undefined) return byId;
  const named = all.filter(({ name }) => name === nameOrId);
  const [first, ...others] = named;
  const shown = JSON.stringify(nameOrId);
  if (first === undefined) throw new Error(`there is no ${noun} ${shown}: \`${noun} list\` shows them`);
  if (others.length === 0) return first;
  throw new Error(`several ${noun}s are named ${shown}; name one by its id: ${named.map(({ id }) => id).join(", ")}`);
}

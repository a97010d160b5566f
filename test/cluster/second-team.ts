/** Another team in a cluster, with its own user, as an operator makes them. */
import { operatorCommand } from "./operator-command.ts";

export interface Tenant {
  readonly teamId: string;
  readonly key: string;
}

export async function addTeam(etcd: string, name: string): Promise<Tenant> {
  const { team_id: teamId } = await operatorCommand(etcd, "team", "create", "--name", name);
  const { key } = await operatorCommand(
    etcd,
    "user",
    "create",
    "--name",
    `${name}-owner`,
    "--team",
    name,
    "--role",
    "owner",
  );
  return { teamId: String(teamId), key: String(key) };
}

/** A user of a team that is there. */
export async function addMember(
  etcd: string,
  given: { readonly name: string; readonly team: string },
): Promise<{ readonly userId: string; readonly key: string }> {
  const { name, team } = given;
  const made = await operatorCommand(etcd, "user", "create", "--name", name, "--team", team, "--role", "member");
  return { userId: String(made.user_id), key: String(made.key) };
}

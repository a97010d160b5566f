/** The one place that knows the public JSON of teams and their members. */
import { z } from "zod";
import type { AccessKey } from "../domain/access-key.ts";
import { ROLES } from "../domain/role.ts";
import type { Membership, Team } from "../domain/team.ts";
import type { View } from "../store/store.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const roleSchema = z
  .enum(ROLES)
  .describe(
    "Each may do what the roles after it may: owners also change the roles of owners, admins invite, change and remove other members, members create and change what the team has, viewers only read.",
  );

export const teamSchema = z
  .object({
    team_id: idSchema,
    name: z.string(),
    role: roleSchema,
    created: timestampSchema,
    origins: z.array(z.string()).describe("Web pages of these may use the API with the team's keys, without cookies."),
    default: z.boolean().describe("Whether calls that name no team act in this one."),
  })
  .meta({ id: "Team" });

export type TeamRecord = z.output<typeof teamSchema>;

/** Null for a team that the view does not have yet. */
export function teamRecord(
  view: Pick<View, "teams">,
  key: Pick<AccessKey, "defaultTeamId">,
  membership: Pick<Membership, "teamId" | "role">,
): TeamRecord | null {
  const team = view.teams.get(membership.teamId)?.value;
  return team === undefined ? null : recordOfTeam(team, key, membership);
}

export function recordOfTeam(
  { id, name, createdAt, origins = [] }: Team,
  { defaultTeamId }: Pick<AccessKey, "defaultTeamId">,
  { role }: Pick<Membership, "role">,
): TeamRecord {
  return {
    team_id: id,
    name,
    role,
    created: timestamp(createdAt),
    origins: [...origins],
    default: id === defaultTeamId,
  };
}

export const memberSchema = z
  .object({ user_id: idSchema, name: z.string(), role: roleSchema, since: timestampSchema })
  .meta({ id: "Member" });

export type MemberRecord = z.output<typeof memberSchema>;

export function memberRecord(view: Pick<View, "users">, { userId, role, createdAt }: Membership): MemberRecord {
  const name = view.users.get(userId)?.value.name ?? "";
  return { user_id: userId, name, role, since: timestamp(createdAt) };
}

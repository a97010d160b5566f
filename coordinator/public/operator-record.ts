/** The public JSON of users and teams as operators see them: of all, and nothing of what they made. */
import { z } from "zod";
import type { Session } from "../domain/session.ts";
import type { Membership, Team, User } from "../domain/team.ts";
import { idSchema } from "./id-schema.ts";
import { quotaSchema } from "./quota-record.ts";
import { memberSchema } from "./team-record.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

const { role: roleSchema } = memberSchema.shape;

export const operatedUserSchema = z
  .object({
    user_id: idSchema,
    name: z.string(),
    created: timestampSchema,
    operator: z.boolean().describe("Whether the user runs this service."),
    teams: z.array(z.object({ team_id: idSchema, team_name: z.string(), role: roleSchema })),
    open_keys: z.int().describe("Access keys that are neither revoked nor expired."),
    sessions: z.int().describe("Browsers in which the user is logged in."),
  })
  .meta({ id: "OperatedUser" });

export const operatedTeamSchema = z
  .object({
    team_id: idSchema,
    name: z.string(),
    created: timestampSchema,
    owners: z.int(),
    quotas: z.array(quotaSchema),
  })
  .meta({ id: "OperatedTeam" });

export const loginLinkSchema = z
  .object({
    login_url: z.string().describe("Logs a browser in as the user, once. It is shown here once."),
    expires: timestampSchema,
  })
  .meta({ id: "LoginLink" });

export type OperatedUser = z.output<typeof operatedUserSchema>;
export type OperatedTeam = z.output<typeof operatedTeamSchema>;

export interface UserFacts {
  readonly teams: readonly { readonly team: Team; readonly membership: Membership }[];
  readonly openKeys: number;
  readonly sessions: readonly Session[];
}

export function operatedUser(user: User, { teams, openKeys, sessions }: UserFacts): OperatedUser {
  return {
    user_id: user.id,
    name: user.name,
    created: timestamp(user.createdAt),
    operator: user.operator === true,
    teams: teams.map(({ team, membership }) => ({ team_id: team.id, team_name: team.name, role: membership.role })),
    open_keys: openKeys,
    sessions: sessions.length,
  };
}

export function operatedTeam(
  { id, name, createdAt }: Team,
  { owners, quotas }: Pick<OperatedTeam, "owners" | "quotas">,
): OperatedTeam {
  return { team_id: id, name, created: timestamp(createdAt), owners, quotas };
}

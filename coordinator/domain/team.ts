/** Who may do what: users belong to teams, keys belong to users. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Role } from "./role.ts";
import type { AuthorizedKey } from "./shell-login.ts";

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  /** Web pages of these may use the API with the team's keys: team-origins.ts. Absent for none. */
  readonly origins?: readonly string[];
  /** Absent for a team that was not deleted. With it the record is only a mark that the team existed. */
  readonly deleted?: TeamDeletion;
}

interface TeamDeletion {
  readonly at: Instant;
  readonly byUserId: string;
}

export function isDeleted({ deleted }: Pick<Team, "deleted">): boolean {
  return deleted !== undefined;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  /** Absent for none. */
  readonly authorizedKeys?: readonly AuthorizedKey[];
  /** Runs this service: for an hour after each login, the user's session has the operators' scopes. Absent for no. */
  readonly operator?: true;
  /** Absent for a user who was not deleted. With it the record is only a mark that names the user in the audit log. */
  readonly deleted?: { readonly at: Instant };
}

export interface Membership {
  readonly userId: string;
  readonly teamId: string;
  readonly role: Role;
  readonly createdAt: Instant;
}

const NAME_LENGTH_MAX = 100;

export const NAME_RULE = `1 to ${NAME_LENGTH_MAX} printable characters, without white space at the ends`;

/** Of users, teams and keys. Names are shown on terminals: nothing in them may move a cursor or turn the reading. */
export function isName(text: string): boolean {
  return text.trim() === text && text !== "" && text.length <= NAME_LENGTH_MAX && !/\p{C}|\p{Zl}|\p{Zp}/u.test(text);
}

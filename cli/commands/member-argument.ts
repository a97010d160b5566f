/** A member as a command names one. */
import { Argument } from "commander";
import type { MemberRecord } from "../api/records.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { findByPrefix } from "../ids/choose-id.ts";
import { notEmpty } from "./not-empty.ts";

export function userArgument(): Argument {
  return new Argument(
    "<user>",
    "name or user id, as `elastic team members` shows them; the first 8 characters of the id will do",
  ).argParser(notEmpty("user"));
}

/**
 * An id goes before a name, and a name before the beginning of an id. Throws a CliError where nobody is meant, or several
 * are.
 */
export function pickMember(members: readonly MemberRecord[], named: string): MemberRecord {
  const byId = members.find(({ user_id: id }) => id === named);
  if (byId !== undefined) return byId;
  const [first, ...others] = members.filter(({ name }) => name === named);
  if (first !== undefined && others.length === 0) return first;
  const byPrefix = first === undefined ? findByPrefix("user", named, members, ({ user_id: id }) => id) : null;
  if (byPrefix !== null) return byPrefix;
  const message =
    first === undefined ? `No member of the team is named ${named}.` : `Several members are named ${named}.`;
  throw new CliError(message, {
    exitCode: EXIT.notFound,
    code: "member_not_found",
    next: "Name one by the user id that `elastic team members` shows.",
  });
}

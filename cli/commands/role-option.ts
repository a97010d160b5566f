/** `--role`, and the roles that there are. */
import { Argument, Option } from "commander";
import type { Role } from "../api/records.ts";

const ROLES: readonly Role[] = ["owner", "admin", "member", "viewer"];

export function roleOption(): Option {
  return new Option("--role <role>", "what the user becomes").choices(ROLES);
}

export function roleArgument(): Argument {
  return new Argument("<role>", "what the member becomes").choices(ROLES);
}

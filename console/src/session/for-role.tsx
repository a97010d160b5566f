/** What only some roles may do: left out for the others. */
import type { ReactNode } from "react";
import { isAtLeast, type Role } from "./role.ts";
import { useTeam } from "./use-team.ts";

interface ForRoleProps {
  /** The lowest that may. */
  readonly lowest: Role;
  readonly children: ReactNode;
}

export function ForRole({ lowest, children }: ForRoleProps) {
  const team = useTeam();
  return team !== null && isAtLeast(team.role, lowest) ? children : null;
}

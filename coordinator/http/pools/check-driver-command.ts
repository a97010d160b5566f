/** Refuses a driver's command that coordinators do not have: each machine would be requested in vain. */
import type { Pool } from "../../domain/pool.ts";
import { Problem } from "../problems/problem.ts";

export interface PoolCommandDeps {
  /** Names of the operator's programs, which all coordinators have. */
  readonly poolCommands: ReadonlySet<string>;
}

/** A pool that has it may be changed otherwise, such as to a maximum of 0. */
export function checkDriverCommand({ poolCommands }: PoolCommandDeps, name: string, before: Pool | undefined): void {
  const isAsBefore = before?.driver.kind === "command" && before.driver.name === name;
  if (isAsBefore || poolCommands.has(name)) return;
  const known = poolCommands.size === 0 ? "there is none" : `there are ${[...poolCommands].join(", ")}`;
  const detail = `The coordinators have no command ${name}, and ${known}: name it in ELASTIC_POOL_COMMANDS of all of them. Nothing was changed.`;
  throw new Problem("invalid_request", detail, { errors: [{ pointer: "#/driver/name", detail: "no such command" }] });
}

/** A filter of tasks as conditions of SQL. Pure. */
import { idRangeOf } from "../../domain/id-range.ts";
import type { EndedPhase } from "../../domain/usage-sums.ts";
import type { ArchiveFilter } from "../archive.ts";
import { type SqlValue, tuples } from "./sql.ts";

/** A condition and the values of its parameters. */
export interface Where {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Undefined for all phases, and where a reason implies the phase. */
export function phasesOf({ phases, reason }: ArchiveFilter): readonly EndedPhase[] | undefined {
  return reason === undefined ? phases : undefined;
}

/** On the tables of tasks. */
export function whereOf(filter: ArchiveFilter): Where {
  return and(ownersAndReason(filter), idsWhere(filter));
}

/** The same of one of the phases, or of all for null. Begins after `olderThan`. */
export function whereInPhase(filter: ArchiveFilter, phase: EndedPhase | null, olderThan?: string): Where {
  const { phases: _, ...anyPhase } = filter;
  const where = whereOf(phase === null ? anyPhase : { ...anyPhase, phases: [phase] });
  return olderThan === undefined ? where : and(where, { sql: "id < ?", values: [olderThan] });
}

/** What the tables of counts have columns for too. */
export function ownersAndReason(filter: ArchiveFilter): Where {
  const { teamId, serviceId, reason } = filter;
  const phases = phasesOf(filter);
  return and(
    { sql: "team_id = ?", values: [teamId] },
    serviceId === undefined ? null : { sql: "service_id = ?", values: [serviceId] },
    reason === undefined ? null : { sql: "reason = ?", values: [reason] },
    phases === undefined ? null : { sql: `phase IN ${tuples(1, phases.length)}`, values: phases },
  );
}

/** Without those that are null. */
export function and(first: Where, ...others: readonly (Where | null)[]): Where {
  const all = [first, ...others.filter((one) => one !== null)];
  return { sql: all.map(({ sql }) => sql).join(" AND "), values: all.flatMap(({ values }) => values) };
}

function idsWhere(filter: ArchiveFilter): Where | null {
  const { from, below } = idRangeOf(filter);
  if (from === null && below === null) return null;
  return and({ sql: "id >= ?", values: [from ?? ""] }, below === null ? null : { sql: "id < ?", values: [below] });
}

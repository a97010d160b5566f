/** What a list of tasks is filtered by, in the address and in requests. Pure. */
import { isUtcTime } from "../text/local-time.ts";
import { FAILURE_REASONS, type FailureReason } from "./failure-advice.ts";
import { PHASES, type Phase, STATES, type TaskState } from "./task-phases.ts";

/** As `GET /v1/tasks` has them. */
export interface TaskFilter {
  readonly service_id?: string | undefined;
  readonly state?: TaskState | undefined;
  readonly phase?: Phase | undefined;
  readonly reason?: FailureReason | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly id_prefix?: string | undefined;
}

const ID = /^[0-9a-f]{32}$/;
const ID_PREFIX = /^[0-9a-f]{8,32}$/;

/** What is not understood is left out: anybody can write an address. */
export function readTaskFilter(search: Readonly<Record<string, unknown>>): TaskFilter {
  return {
    service_id: matching(search.service_id, ID),
    state: oneOf(STATES, search.state),
    phase: oneOf(PHASES, search.phase),
    reason: oneOf(FAILURE_REASONS, search.reason),
    created_after: timeOf(search.created_after),
    created_before: timeOf(search.created_before),
    id_prefix: matching(search.id_prefix, ID_PREFIX),
  };
}

/** A task's id, or how it begins, as somebody typed it; null where it is neither. */
export function readIdPrefix(typed: string): string | null {
  return matching(typed.trim().toLowerCase(), ID_PREFIX) ?? null;
}

/** Only what is set, in the order of the interface above: the same filter always makes the same link. */
export function queryOf(filter: TaskFilter): Readonly<Record<string, string>> {
  const entries = Object.entries(readTaskFilter({ ...filter }));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function isFiltered(filter: TaskFilter): boolean {
  return Object.keys(queryOf(filter)).length > 0;
}

/**
 * The open tasks of the filter that were created until `now`, in milliseconds since the epoch, as a bulk cancel requests them;
 * null where no open task can match.
 */
export function openFilterOf({ state, phase, reason, ...others }: TaskFilter, now: number): OpenTaskFilter | null {
  const isOpen = phase === undefined || phase === "queued" || phase === "running";
  if (reason !== undefined || !isOpen || (state !== undefined && state !== "PENDING")) return null;
  const nextSecond = new Date(now + 1_000).toISOString().slice(0, 19);
  const named = others.created_before;
  const created_before = named !== undefined && named < nextSecond ? named : nextSecond;
  return { ...queryOf(others), created_before, ...(phase === undefined ? {} : { phase }) };
}

export interface OpenTaskFilter {
  readonly service_id?: string;
  readonly phase?: "queued" | "running";
  readonly created_after?: string;
  readonly created_before: string;
  readonly id_prefix?: string;
}

function timeOf(value: unknown): string | undefined {
  return typeof value === "string" && isUtcTime(value) ? value : undefined;
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((one) => one === value);
}

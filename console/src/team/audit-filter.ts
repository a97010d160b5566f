/** What the audit log is filtered by, as it stands in the address and in the request. Pure. */
import { isUtcTime } from "../text/local-time.ts";

/** As `GET /v1/teams/{id}/audit` has them. */
export interface AuditFilter {
  readonly action?: string | undefined;
  readonly user_id?: string | undefined;
  readonly object_id?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const ACTION = /^[A-Za-z][A-Za-z -]{0,99}$/;
const USER_ID = /^[0-9a-f]{32}$/;
/** Access keys have short ones. */
const OBJECT_ID = /^[0-9A-Za-z-]{1,64}$/;

/** What is not understood is left out: anybody can write an address. */
export function readAuditFilter(search: Readonly<Record<string, unknown>>): AuditFilter {
  return {
    action: matching(search.action, ACTION),
    user_id: matching(search.user_id, USER_ID),
    object_id: matching(search.object_id, OBJECT_ID),
    from: timeOf(search.from),
    to: timeOf(search.to),
  };
}

/** Only what is set. */
export function auditQueryOf(filter: AuditFilter): Readonly<Record<string, string>> {
  const entries = Object.entries(readAuditFilter({ ...filter }));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function timeOf(value: unknown): string | undefined {
  return typeof value === "string" && isUtcTime(value) ? value : undefined;
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}

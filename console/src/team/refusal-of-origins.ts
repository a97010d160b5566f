/** What the service refuses of a team's origins, for the field in which one is typed. Pure. */
import { ApiError, messageOf } from "../api/problem.ts";

const FIELD = "#/origins";

/** Null where nothing was refused. */
export function refusalOfOrigins(error: unknown): string | null {
  if (error === null) return null;
  if (!(error instanceof ApiError)) return messageOf(error);
  const [, detail] = Object.entries(error.fields).find(([pointer]) => pointer.startsWith(FIELD)) ?? [];
  return detail ?? error.message;
}

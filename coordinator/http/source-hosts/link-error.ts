/** Why an account was not connected. The console has a sentence for each code. */
import { SourceHostError, type SourceHostErrorCode } from "../../source-hosts/source-host-error.ts";
import { StoreUnavailableError } from "../../store/kv.ts";
import { TooManyConflictsError } from "../../store/update.ts";
import { Problem } from "../problems/problem.ts";

export const LINK_ERROR_CODES = [
  // The browser did not start it, or another link in it came after.
  "link_not_started",
  "link_expired",
  "link_used",
  // The user has logged out, or has logged in again.
  "session_ended",
  // The user left the team, or has a lower role in it by now.
  "role_missing",
  "declined",
  // The account's owners have to approve the installation.
  "approval_pending",
  "host_unknown",
  "connection_gone",
  "quota_exceeded",
  "rate_limited",
  "unavailable",
] as const;

export type LinkErrorCode = (typeof LINK_ERROR_CODES)[number] | SourceHostErrorCode;

export class LinkError extends Error {
  override readonly name = "LinkError";
  readonly code: LinkErrorCode;

  constructor(code: LinkErrorCode) {
    super(code);
    this.code = code;
  }
}

/** Null for a fault of this service. */
export function linkErrorOf(error: unknown): LinkErrorCode | null {
  if (error instanceof LinkError || error instanceof SourceHostError) return error.code;
  if (error instanceof StoreUnavailableError || error instanceof TooManyConflictsError) return "unavailable";
  if (!(error instanceof Problem)) return null;
  return error.code === "quota_exceeded" || error.code === "rate_limited" ? error.code : "unavailable";
}

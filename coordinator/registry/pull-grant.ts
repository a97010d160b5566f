/**
 * The right of a node to pull the images of one of its assignments, as the password that its engine shows to the token
 * service. It is a name and a signature: whether the assignment stands is looked up each time it is used.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { isId } from "@elastic/std/ids.ts";
import type { Secrets } from "../secrets/secrets.ts";

/** Above the longest start budget, within which the pull is over. */
export const GRANT_LIFE_S = 2 * 3600;

const PURPOSE = "registry-pull-grant";
const PATTERN = /^epg_([0-9a-f]{32})_(\d{1,12})_(.{1,128})$/;

export function makePullGrant(secrets: Pick<Secrets, "sign">, assignmentId: string, now: Instant): string {
  const expires = Math.floor(now / 1000) + GRANT_LIFE_S;
  return `epg_${assignmentId}_${expires}_${secrets.sign(PURPOSE, contentOf(assignmentId, expires))}`;
}

/** Whether the text is meant for one, and no access key. */
export function looksLikePullGrant(text: string): boolean {
  return text.startsWith("epg_");
}

/** The assignment's id; null for what was not made here or has expired. */
export function readPullGrant(secrets: Pick<Secrets, "verify">, text: string, now: Instant): string | null {
  const [, assignmentId = "", expiry = "", signature = ""] = PATTERN.exec(text) ?? [];
  const expires = Number(expiry);
  if (!isId(assignmentId) || !secrets.verify(PURPOSE, contentOf(assignmentId, expires), signature)) return null;
  return now < expires * 1000 ? assignmentId : null;
}

function contentOf(assignmentId: string, expires: number): string {
  return `${assignmentId}.${expires}`;
}

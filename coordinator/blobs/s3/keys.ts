/** The layout of a bucket. */

const TEAM_PATTERN = /^[0-9a-f]{32}$/;
const SHA256_PATTERN = /^[0-9a-f]{64}$/;

/** Blobs, each under its team and digest. */
export const DATA = "data/";
/** What is being put, until its digest is known. */
export const TEMPORARY = "tmp/";
/** An empty object for each blob that was put or renewed again, where writing it again would be a copy of it. */
export const YOUNG = "young/";
/** What sweeps are about to remove: sweep-notice.ts. */
export const SWEEPING = "sweeping/";
/** What provers write: coordinator/task-logs/s3/. */
export const LOGS = "logs/";
/** To which store the bucket belongs. */
export const STORE_ID = "store-id";

export function assertTeam(teamId: string): void {
  if (!TEAM_PATTERN.test(teamId)) throw new Error("not the id of a team");
}

/** Ids come from records, but a key is never built from what does not look like one. */
export function dataKey(teamId: string, sha256: string): string {
  return DATA + nameOf(teamId, sha256);
}

export function youngKey(teamId: string, sha256: string): string {
  return YOUNG + nameOf(teamId, sha256);
}

/** Null for what somebody else put there. */
export function addressOf(key: string): { readonly teamId: string; readonly sha256: string } | null {
  const [teamId = "", sha256 = "", ...more] = key.slice(DATA.length).split("/");
  if (!key.startsWith(DATA) || more.length > 0) return null;
  return TEAM_PATTERN.test(teamId) && SHA256_PATTERN.test(sha256) ? { teamId, sha256 } : null;
}

function nameOf(teamId: string, sha256: string): string {
  if (!TEAM_PATTERN.test(teamId) || !SHA256_PATTERN.test(sha256)) throw new Error("not the address of a blob");
  return `${teamId}/${sha256}`;
}

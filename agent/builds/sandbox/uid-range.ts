/** Which users of the host the users within a team's sandboxes are. Pure. */
import { createHash } from "node:crypto";

export const IDS_PER_TEAM = 65_536;
/** Above what distributions hand out, and what systemd uses for its own containers. */
const FIRST_ID = 0x3000_0000;
const RANGES = 16_384;

/** The first of the team's 65,536. Teams that share a range are still on separate disks and in separate namespaces. */
export function firstIdOf(teamId: string): number {
  const digest = createHash("sha256").update(teamId).digest();
  return FIRST_ID + (digest.readUInt32BE(0) % RANGES) * IDS_PER_TEAM;
}

/**
 * Slot-seconds that each team has held of late: what was held an hour ago counts half. A slot counts from its assignment
 * to the removal, at work or idle, since nobody else can use it either way; so a task costs nothing here.
 *
 * In memory only. A new leader knows what is held and since when, and not what was held and released before.
 */

const HALF_LIFE_S = 3_600;
/** What a slot held for good comes to. */
const SLOT_LIMIT = HALF_LIFE_S / Math.LN2;
/** A slot that was just taken counts as if it had been held so long: who takes many at once is behind at once. */
export const TURN_S = 60;

interface Held {
  readonly teamId: string;
  readonly slots: number;
}

interface TeamUsage {
  slots: number;
  slotSeconds: number;
  atMs: number;
}

export class SlotUsage {
  readonly #held = new Map<string, Held>();
  readonly #teams = new Map<string, TeamUsage>();
  #holders = 0;

  /** Whether another team holds anything. */
  hasOtherHolders(teamId: string): boolean {
    return this.#holders > ((this.#teams.get(teamId)?.slots ?? 0) > 0 ? 1 : 0);
  }

  /** Of an assignment; nothing new for one that is known. */
  hold(assignmentId: string, held: Held, heldForMs: number, nowMs: number): void {
    if (this.#held.has(assignmentId)) return;
    this.#held.set(assignmentId, held);
    const team = this.#team(held.teamId, nowMs);
    if (team.slots === 0 && held.slots > 0) this.#holders++;
    team.slots += held.slots;
    team.slotSeconds += held.slots * SLOT_LIMIT * (1 - remains(heldForMs));
  }

  release(assignmentId: string, nowMs: number): void {
    const held = this.#held.get(assignmentId);
    if (held === undefined) return;
    this.#held.delete(assignmentId);
    const team = this.#team(held.teamId, nowMs);
    team.slots -= held.slots;
    if (team.slots === 0 && held.slots > 0) this.#holders--;
  }

  slotSeconds(teamId: string, nowMs: number): number {
    return this.#teams.has(teamId) ? this.#team(teamId, nowMs).slotSeconds : 0;
  }

  /** By which teams are compared: what a team has used, and what it is about to use. The lower goes first. */
  standing(teamId: string, nowMs: number): number {
    const slots = this.#teams.get(teamId)?.slots ?? 0;
    return this.slotSeconds(teamId, nowMs) + slots * TURN_S;
  }

  /** Brought to `nowMs`. */
  #team(id: string, nowMs: number): TeamUsage {
    let team = this.#teams.get(id);
    if (team === undefined) {
      team = { slots: 0, slotSeconds: 0, atMs: nowMs };
      this.#teams.set(id, team);
    }
    if (nowMs > team.atMs) {
      const counted = remains(nowMs - team.atMs);
      team.slotSeconds = team.slotSeconds * counted + team.slots * SLOT_LIMIT * (1 - counted);
      team.atMs = nowMs;
    }
    return team;
  }
}

/** The part of what was held `ms` ago that still counts. */
function remains(ms: number): number {
  return 2 ** (-ms / 1000 / HALF_LIFE_S);
}

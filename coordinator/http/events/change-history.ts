/**
 * The newest change of each record that changed lately: what a client missed while it was away. It is
 * bounded: of revisions before the floor something may be forgotten.
 */
import { recordOf, type TeamChange } from "../../public/team-change.ts";

/** Some minutes of a busy service, in a few megabytes. */
const CHANGES_MAX = 20_000;

export class ChangeHistory {
  readonly #changesMax: number;
  /** By team and record, the longest unchanged first. */
  readonly #changes = new Map<string, TeamChange>();
  #floor: number;

  /** `since` is the revision from which on it is given every change. */
  constructor(since: number, changesMax: number = CHANGES_MAX) {
    this.#floor = since;
    this.#changesMax = changesMax;
  }

  add(change: TeamChange): void {
    const name = `${change.teamId}/${recordOf(change)}`;
    this.#changes.delete(name);
    this.#changes.set(name, change);
    if (this.#changes.size <= this.#changesMax) return;
    for (const [oldest, { revision }] of this.#changes) {
      this.#changes.delete(oldest);
      this.#floor = Math.max(this.#floor, revision);
      return;
    }
  }

  /** What changed in the team after a revision; null where that is no longer known. */
  since(teamId: string, revision: number): readonly TeamChange[] | null {
    if (revision < this.#floor) return null;
    const missed: TeamChange[] = [];
    for (const change of this.#changes.values()) {
      if (change.teamId === teamId && change.revision > revision) missed.push(change);
    }
    return missed;
  }
}

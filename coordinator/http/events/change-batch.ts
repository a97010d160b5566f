/**
 * Changes that are sent together: each record once, as it stands by then. Where more of a kind changed than a client would
 * read one by one, the kind alone is named.
 */
import { type Change, type ChangedKind, recordOf } from "../../public/team-change.ts";

export const CHANGES_OF_A_KIND_MAX = 100;

export class ChangeBatch {
  readonly #kinds = new Map<ChangedKind, Map<string, Change>>();

  add({ kind, id, serviceId, state }: Change): void {
    const changes = this.#kinds.get(kind) ?? new Map<string, Change>();
    this.#kinds.set(kind, changes);
    const any = recordOf({ kind, id: null });
    if (changes.has(any)) return;
    changes.set(recordOf({ kind, id }), { kind, id, serviceId, state });
    if (changes.size <= CHANGES_OF_A_KIND_MAX) return;
    changes.clear();
    changes.set(any, { kind, id: null, serviceId: null, state: null });
  }

  /** All that was added since the last call. */
  take(): readonly Change[] {
    const changes = [...this.#kinds.values()].flatMap((ofKind) => [...ofKind.values()]);
    this.#kinds.clear();
    return changes;
  }
}

/** Which lists a task is in: one object for all tasks that are in the same ones, and each name of a list one string. */
import type { FailureReason } from "../../domain/failure.ts";
import type { TaskPhaseKind } from "../store.ts";

/** What a list needs to know of a task. */
export interface Listed {
  readonly teamId: string;
  readonly serviceId: string;
  readonly phase: TaskPhaseKind;
  /** Of a task that ended without success. */
  readonly reason: FailureReason | null;
}

export interface ListedAs extends Listed {
  /** The lists of its phase, and of its reason. */
  readonly ofPhase: readonly string[];
  /** The lists over all phases. */
  readonly ofAll: readonly string[];
}

/** What a list is of, next to team and service; empty for all. */
export type Facet = TaskPhaseKind | `reason ${FailureReason}` | "";

/** `cancelled` is a phase and a reason. */
export function facetOf(reason: FailureReason): Facet {
  return `reason ${reason}`;
}

export function listName(teamId: string, serviceId: string, facet: Facet): string {
  return `${teamId}/${serviceId}/${facet}`;
}

/** As many as differ, however many tasks there are. */
export class ListedAsBook {
  readonly #services = new Map<string, ListedAs[]>();

  of(teamId: string, serviceId: string, phase: TaskPhaseKind, reason: FailureReason | null): ListedAs {
    const ofService = this.#services.get(serviceId) ?? [];
    // A handful: phases, and for those that failed reasons.
    for (const known of ofService) {
      if (known.phase === phase && known.reason === reason && known.teamId === teamId) return known;
    }
    const listed = listedAs({ teamId, serviceId, phase, reason });
    if (ofService.length === 0) this.#services.set(serviceId, ofService);
    ofService.push(listed);
    return listed;
  }
}

function listedAs({ teamId, serviceId, phase, reason }: Listed): ListedAs {
  const facets: readonly Facet[] = reason === null ? [phase] : [phase, facetOf(reason)];
  return {
    teamId,
    serviceId,
    phase,
    reason,
    ofPhase: facets.flatMap((facet) => [listName(teamId, "", facet), listName(teamId, serviceId, facet)]),
    ofAll: [listName(teamId, "", ""), listName(teamId, serviceId, "")],
  };
}

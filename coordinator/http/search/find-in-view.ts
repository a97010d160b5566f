/** What of a team matches a query, of each kind the best and newest. */
import { hasScope } from "../../auth/authorize.ts";
import { type AccessKey, endOfKey, type Scope } from "../../domain/access-key.ts";
import { type MatchRank, rankOf } from "../../domain/search-match.ts";
import type { Found } from "../../public/search-record.ts";
import { publicServiceState } from "../../public/service-record.ts";
import { timestamp } from "../../public/timestamp.ts";
import type { View } from "../../store/store.ts";
import { maySeeKey } from "../keys/find-key.ts";

export const FOUND_PER_KIND_MAX = 5;

export interface SearchCall {
  readonly query: string;
  readonly teamId: string;
  readonly key: AccessKey;
  readonly now: number;
}

interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly state: string | null;
  readonly createdAt: number;
}

interface Searched {
  readonly kind: Exclude<Found["kind"], "task">;
  /** Any one of these lets a key see it. */
  readonly scopes: readonly Scope[];
  readonly candidates: (view: View, call: SearchCall) => Iterable<Candidate>;
}

const SEARCHED: readonly Searched[] = [
  {
    kind: "service",
    scopes: ["services", "tasks:read"],
    *candidates({ services }, { teamId }) {
      for (const { value } of services.values()) {
        if (value.teamId === teamId && value.state.kind !== "deleted")
          yield { ...value, state: publicServiceState(value) };
      }
    },
  },
  {
    kind: "shell",
    scopes: ["shells"],
    *candidates({ shells }, { teamId }) {
      for (const { value } of shells.of(teamId)) {
        if (value.state.kind !== "deleted") yield { ...value, state: value.state.kind.toUpperCase() };
      }
    },
  },
  {
    kind: "volume",
    scopes: ["services"],
    *candidates({ volumes }, { teamId }) {
      for (const { value } of volumes.of(teamId)) yield { ...value, state: null };
    },
  },
  {
    kind: "key",
    scopes: ["keys"],
    *candidates({ accessKeys }, { key, now }) {
      for (const { value } of accessKeys.values()) {
        if (maySeeKey(key, value) && endOfKey(value, now) === null) yield { ...value, state: null };
      }
    },
  },
];

/** The best matches first, then the newest. */
export function findInView(view: View, call: SearchCall): readonly Found[] {
  return SEARCHED.flatMap(({ kind, scopes, candidates }) =>
    scopes.some((scope) => hasScope(call.key, scope)) ? bestOf(call.query, kind, candidates(view, call)) : [],
  );
}

function bestOf(query: string, kind: Searched["kind"], candidates: Iterable<Candidate>): readonly Found[] {
  const ranked: { readonly rank: MatchRank; readonly candidate: Candidate }[] = [];
  for (const candidate of candidates) {
    const rank = rankOf(query, candidate);
    if (rank !== null) ranked.push({ rank, candidate });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || b.candidate.createdAt - a.candidate.createdAt)
    .slice(0, FOUND_PER_KIND_MAX)
    .map(({ candidate: { id, name, state, createdAt } }) => ({ kind, id, name, state, created: timestamp(createdAt) }));
}

/**
 * Counts connections, so that nobody takes them all. Of those that have not logged in the oldest gives way to a new
 * one, first of the source that has too many and then of the one that has most, a source from which somebody came in
 * before last of all: half-open handshakes keep nobody out.
 */
import { LRUCache } from "lru-cache";
import {
  CONNECTIONS_PER_SHELL_MAX,
  CONNECTIONS_PER_SOURCE_MAX,
  SOURCES_MAX,
  UNKNOWN_CONNECTIONS_MAX,
  UNKNOWN_PER_SOURCE_MAX,
} from "./limits.ts";

export interface Counted {
  readonly source: string;
  /** Makes room. */
  drop(): void;
}

export class ConnectionCount {
  /** Without a login, by source, each from the oldest on. */
  readonly #unknown = new Map<string, Set<Counted>>();
  #unknownCount = 0;
  /** Sources from which somebody came in. */
  readonly #known = new LRUCache<string, true>({ max: SOURCES_MAX });
  readonly #perSource = new Map<string, number>();
  readonly #perShell = new Map<string, number>();

  get unknown(): number {
    return this.#unknownCount;
  }

  opened(one: Counted): void {
    const ofSource = this.#unknown.get(one.source) ?? new Set();
    this.#unknown.set(one.source, ofSource.add(one));
    this.#unknownCount += 1;
    if (ofSource.size > UNKNOWN_PER_SOURCE_MAX) dropOldest(ofSource);
    else if (this.#unknownCount > UNKNOWN_CONNECTIONS_MAX) dropOldest(this.#largest());
  }

  /** False when there are too many already; it counts as unknown no longer in any case. */
  loggedIn(one: Counted, shellId: string): boolean {
    this.closed(one);
    const ofSource = this.#perSource.get(one.source) ?? 0;
    const ofShell = this.#perShell.get(shellId) ?? 0;
    if (ofSource >= CONNECTIONS_PER_SOURCE_MAX || ofShell >= CONNECTIONS_PER_SHELL_MAX) return false;
    this.#perSource.set(one.source, ofSource + 1);
    this.#perShell.set(shellId, ofShell + 1);
    this.#remember(one.source);
    return true;
  }

  loggedOut(one: Counted, shellId: string): void {
    oneLess(this.#perSource, one.source);
    oneLess(this.#perShell, shellId);
  }

  /** Of one that never logged in. */
  closed(one: Counted): void {
    const ofSource = this.#unknown.get(one.source);
    if (ofSource?.delete(one)) this.#unknownCount -= 1;
    if (ofSource?.size === 0) this.#unknown.delete(one.source);
  }

  #remember(source: string): void {
    this.#known.set(source, true);
  }

  /** What the source with most has open; of a known one only where there is no other. */
  #largest(): ReadonlySet<Counted> {
    let most: ReadonlySet<Counted> = new Set();
    let ofKnown: ReadonlySet<Counted> = new Set();
    for (const [source, each] of this.#unknown) {
      if (this.#known.has(source)) ofKnown = each.size > ofKnown.size ? each : ofKnown;
      else if (each.size > most.size) most = each;
    }
    return most.size > 0 ? most : ofKnown;
  }
}

function dropOldest(all: ReadonlySet<Counted>): void {
  const [oldest] = all;
  oldest?.drop();
}

function oneLess(counts: Map<string, number>, name: string): void {
  const left = (counts.get(name) ?? 1) - 1;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}

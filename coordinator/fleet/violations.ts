/**
 * Counts what agents send that no agent of any version sends, whatever races there are, logs it at a bounded rate, and
 * quarantines a node that repeats it. In this coordinator's memory: only the quarantine is written.
 */
import { entriesOfCommit } from "../audit/entries-of-commit.ts";
import { orderedIds } from "../audit/ordered-ids.ts";
import { audit } from "../auth/audit.ts";
import { OF_NO_TEAM } from "../domain/audit-entry.ts";
import { quarantined } from "../domain/quarantine.ts";
import { create, replace } from "../store/change.ts";
import { update } from "../store/update.ts";
import type { FleetContext } from "./fleet-context.ts";
import { VIOLATIONS_MAX, VIOLATIONS_WITHIN_MS } from "./limits.ts";
import { Violation, type ViolationOf } from "./refusal.ts";

type Context = Pick<FleetContext, "store" | "bounds" | "clock" | "log" | "metrics">;

interface Conduct {
  /** When those that count were noted, on the monotonic clock; at most as many as lead to a quarantine. */
  readonly atMs: number[];
  isCommitting: boolean;
  /** As of its last violation. */
  wasQuarantined: boolean;
}

export class Violations {
  readonly #context: Context;
  readonly #nodes = new Map<string, Conduct>();
  readonly #nextAuditId = orderedIds();

  constructor(context: Context) {
    this.#context = context;
  }

  /** What was refused of the node, and why. */
  note(nodeId: string, of: ViolationOf, why: string): void {
    const conduct = this.#of(nodeId);
    const nowMs = this.#context.clock.monotonicMs();
    this.#context.metrics.fleet.violated(of);
    this.#log({ nodeId, of, why });
    const isQuarantined = this.#isQuarantined(nodeId);
    // Who released it begins to count again.
    if (conduct.wasQuarantined && !isQuarantined) conduct.atMs.splice(0);
    conduct.wasQuarantined = isQuarantined;
    while ((conduct.atMs[0] ?? nowMs) < nowMs - VIOLATIONS_WITHIN_MS) conduct.atMs.shift();
    if (conduct.atMs.length < VIOLATIONS_MAX) conduct.atMs.push(nowMs);
    const isRepeated = conduct.atMs.length >= VIOLATIONS_MAX;
    if (isRepeated || isQuarantined) this.#quarantine(nodeId, conduct, why);
  }

  /** Notes nothing of what a correct agent may be refused for. */
  noteError(nodeId: string | undefined, error: unknown): void {
    if (error instanceof Violation && nodeId !== undefined) this.note(nodeId, error.of, error.details);
  }

  /** Logs, at the same bounded rate, what an agent of a later version may send. */
  pass(nodeId: string, of: ViolationOf, why: string): void {
    this.#log({ nodeId, of, why });
  }

  /** Nodes are as many as operators gave certificates to. */
  #of(nodeId: string): Conduct {
    const conduct = this.#nodes.get(nodeId) ?? {
      atMs: [],
      isCommitting: false,
      wasQuarantined: false,
    };
    this.#nodes.set(nodeId, conduct);
    return conduct;
  }

  #log({ nodeId, of, why }: Noted): void {
    const { log, bounds } = this.#context;
    const unlogged = bounds.lines.next(nodeId, of);
    if (unlogged === null) return;
    log.warn({ nodeId, of, why, unlogged }, "refused what an agent sent; nothing was changed");
  }

  #isQuarantined(nodeId: string): boolean {
    return this.#context.store.view.nodes.get(nodeId)?.value.drain?.quarantine !== undefined;
  }

  #quarantine(nodeId: string, conduct: Conduct, why: string): void {
    const { store, clock } = this.#context;
    const seen = store.view.nodes.get(nodeId)?.value;
    const isNoted = seen !== undefined && quarantined(seen, why, clock.now()) === seen;
    if (conduct.isCommitting || isNoted) return;
    conduct.isCommitting = true;
    this.#commit(nodeId, why)
      // So many more until it is written again.
      .then(() => conduct.atMs.splice(0))
      // The next one tries again.
      .catch((err: unknown) => this.#context.log.warn({ err, nodeId }, "a quarantine could not be stored yet"))
      .finally(() => {
        conduct.isCommitting = false;
      });
  }

  async #commit(nodeId: string, why: string): Promise<void> {
    const { store, clock, log } = this.#context;
    const minutes = VIOLATIONS_WITHIN_MS / 60_000;
    const reason = `its agent sent ${VIOLATIONS_MAX} messages within ${minutes} minutes that no agent sends, the last: ${why}`;
    const { result, isChanged } = await update(store, {
      read: () => store.get("nodes", nodeId),
      decide: (before) => {
        const at = clock.now();
        const after = before === null ? null : quarantined(before.value, reason, at);
        if (before === null || after === null || after === before.value) return { changes: [], result: false };
        const isNew = before.value.drain?.quarantine === undefined;
        const change = replace("nodes", before, after);
        const entries = isNew ? entriesOfCommit(BY_ITSELF, [change], { nextId: () => this.#nextAuditId(at), at }) : [];
        return { changes: [change, ...entries.map((entry) => create("audit-entries", entry))], result: isNew };
      },
    });
    if (!isChanged || !result) return;
    audit(log, "node_quarantined", { nodeId, reason });
    log.error(
      { nodeId, reason },
      "a node is quarantined: it takes no work until it is resumed, or behaves for an hour",
    );
  }
}

interface Noted {
  readonly nodeId: string;
  readonly of: ViolationOf;
  readonly why: string;
}

/** As a command of an operator would, for a coordinator is theirs. */
const BY_ITSELF = {
  action: "quarantineNode",
  userId: null,
  credential: { kind: "operator", id: null },
  address: null,
  requestId: null,
  teamId: OF_NO_TEAM,
} as const;

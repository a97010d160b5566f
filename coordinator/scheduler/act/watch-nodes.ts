/** The step, once a tick, that declares silent nodes lost. What ran there is requeued once their records say so. */
import { breakerChanged, MASS_FAILURE } from "../../domain/circuit-breaker.ts";
import { lost, type NodeState } from "../../domain/node.ts";
import { holds, REQUEUE_ORDER } from "../../domain/requeue-order.ts";
import { put, replace } from "../../store/change.ts";
import type { NodeEntry } from "../decide/entries.ts";
import { judgeNodes, type Sighting } from "../decide/judge-nodes.ts";
import type { TurnContext } from "./turn-context.ts";

export function watchNodes(context: TurnContext, watchingSinceMs: number): void {
  const { view, store, clock, metrics } = context;
  const now = clock.now();
  const isReleased = holds(store.view.requeueOrders.get(REQUEUE_ORDER)?.value, now);
  const sightings = [...view.nodes.values()].flatMap((node) => sight(context, node));
  const verdict = judgeNodes(sightings, { now, nowMs: clock.monotonicMs(), watchingSinceMs }, isReleased);
  metrics.scheduler.nodes(countStates(sightings));
  metrics.scheduler.breaker(verdict.isBreakerOpen);
  metrics.scheduler.breakerReleased(isReleased);
  if (context.committer.isPaused()) return;
  noteBreaker(context, verdict.isBreakerOpen);
  for (const nodeId of verdict.lostNodeIds) {
    const node = view.nodes.get(nodeId);
    if (node !== undefined) commitLost(context, node);
  }
}

function noteBreaker({ store, committer, clock, log }: TurnContext, isOpen: boolean): void {
  const before = store.view.circuitBreakers.get(MASS_FAILURE);
  const after = breakerChanged(before?.value, isOpen, clock.now());
  if (after === null) return;
  const change = put("circuit-breakers", before, after);
  committer.commit([change], {
    committed: () => log.warn({ isOpen }, "the mass-failure circuit breaker has changed"),
    // The next turn looks again.
    refused: () => undefined,
  });
}

function sight({ links }: TurnContext, { id, read, greetedMs }: NodeEntry): Sighting[] {
  if (read === null) return [];
  const { state, since } = read.value;
  return [{ nodeId: id, state, since, liveness: links.of(id), greetedMs }];
}

function commitLost({ view, committer, clock, log }: TurnContext, node: NodeEntry): void {
  const { read } = node;
  if (read === null || node.pending) return;
  node.pending = true;
  committer.commit([replace("nodes", read, lost(read.value, clock.now()))], {
    committed: () => log.warn({ nodeId: node.id, tasks: node.running.size }, "a node is lost"),
    refused: () => {
      if (view.nodes.get(node.id)?.read === read) node.pending = false;
    },
  });
}

function countStates(sightings: readonly Sighting[]): Partial<Record<NodeState, number>> {
  const counts: Partial<Record<NodeState, number>> = {};
  for (const { state } of sightings) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

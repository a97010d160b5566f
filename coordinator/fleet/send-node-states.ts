/**
 * Reports to agents whether their node accepts work and, while it does not, what is left there; and the order to become another
 * version. Whoever commands the node sends
 * changes; any coordinator sends it when a link opens, and after a drain was requested on the machine.
 */
import {
  type NodeState,
  NodeStanding as WireStanding,
  type AgentUpgrade as WireUpgrade,
} from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { CURRENT_UPGRADE, isOrdered } from "../domain/agent-upgrade.ts";
import type { Node } from "../domain/node.ts";
import { standingOf } from "../domain/node-drain.ts";
import { NodeWork } from "../nodes/node-work.ts";
import type { RecordChange } from "../store/store.ts";
import type { FleetContext } from "./fleet-context.ts";
import type { Link } from "./link.ts";

type Context = Pick<FleetContext, "store" | "contacts" | "links">;

export class NodeStateSender {
  readonly #context: Context;
  readonly #work: NodeWork;
  #changedNodes = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
    this.#work = new NodeWork(context.store.view);
  }

  start(): () => void {
    const { nodes, agentUpgrades } = this.#context.store.view;
    const unfollow = this.#work.start((nodeId) => {
      if (nodes.get(nodeId)?.value.state === "draining") this.#mark(nodeId);
    });
    const unsubscribe = nodes.subscribe((change) => {
      if (isNews(change)) this.#mark(change.id);
    });
    // Others that it concerns were sent it with an earlier batch, or are as soon as they link.
    const unsubscribeUpgrades = agentUpgrades.subscribe(({ after }) => {
      for (const nodeId of after?.value.batch ?? []) this.#mark(nodeId);
    });
    return () => {
      unsubscribeUpgrades();
      unfollow();
      unsubscribe();
    };
  }

  /** `orderRefused`: why an order of its machine was not carried out. */
  send(link: Link, orderRefused: string | null = null): void {
    const node = this.#context.store.view.nodes.get(link.nodeId)?.value;
    if (node === undefined) return;
    const refused = orderRefused === null ? {} : { orderRefused };
    link.send({ $case: "nodeState", value: { ...this.#stateOf(node), ...refused } });
  }

  #stateOf(node: Node): NodeState {
    const remaining = this.#work.remainingOn(node.id);
    const { attempts: runningAttempts, shells, workloads } = remaining;
    const standing = standingOf(node, remaining);
    const quarantine = node.drain?.quarantine?.reason;
    const said = quarantine === undefined ? {} : { quarantine };
    const upgrade = this.#orderFor(node);
    return { standing: WIRE_STANDINGS[standing], runningAttempts, shells, workloads, upgrade, ...said };
  }

  #orderFor(node: Node): WireUpgrade | undefined {
    const upgrade = this.#context.store.view.agentUpgrades.get(CURRENT_UPGRADE)?.value;
    if (upgrade === undefined || !isOrdered(upgrade, node)) return undefined;
    const { orderId, version, enrollmentAddress, rollbackFrom } = upgrade;
    return { orderId, version, enrollmentAddress, rollback: rollbackFrom !== null };
  }

  /** Changes in one turn of the event loop are sent once. */
  #mark(nodeId: string): void {
    if (this.#changedNodes.size === 0) setImmediate(() => this.#flush());
    this.#changedNodes.add(nodeId);
  }

  #flush(): void {
    const nodes = this.#changedNodes;
    this.#changedNodes = new Set();
    const { contacts, links } = this.#context;
    for (const nodeId of nodes) {
      const link = links.get(nodeId);
      if (link !== undefined && contacts.commandingEpoch(nodeId) !== null) this.send(link);
    }
  }
}

const WIRE_STANDINGS = {
  ready: WireStanding.NODE_STANDING_READY,
  draining: WireStanding.NODE_STANDING_DRAINING,
  drained: WireStanding.NODE_STANDING_DRAINED,
  joining: WireStanding.NODE_STANDING_UNSPECIFIED,
  lost: WireStanding.NODE_STANDING_UNSPECIFIED,
  gone: WireStanding.NODE_STANDING_UNSPECIFIED,
};

function isNews({ before, after }: RecordChange<Node>): boolean {
  return after !== undefined && before?.value.state !== after.value.state;
}

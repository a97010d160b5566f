/**
 * Stands before every call of agents, whatever it is: lets none in that may not call, and ends those under way when
 * their node is evicted or enrolled again, their certificate ends, or its root is retired.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { ServerInterceptingCall, type ServerInterceptingCallInterface, type ServerInterceptor } from "@grpc/grpc-js";
import type { AuthoritySource } from "../enrollment/authority.ts";
import type { FleetMetrics } from "../metrics/fleet-metrics.ts";
import type { Store } from "../store/store.ts";
import { reasonOf, whyRefused, whyRootRefused } from "./admit-node.ts";
import { identityOf, type NodeIdentity } from "./node-identity.ts";
import type { Refusal } from "./refusal.ts";

/** No call outlives its certificate: it is ended up to so long before. */
const SWEEP_MS = 500;

interface Context {
  readonly store: Pick<Store, "view">;
  readonly clock: Clock;
  /** Null where certificates come from elsewhere. */
  readonly authority: AuthoritySource | null;
  readonly metrics: { readonly fleet: Pick<FleetMetrics, "callRefused"> };
}

interface OpenCall {
  readonly identity: NodeIdentity;
  readonly call: ServerInterceptingCallInterface;
}

export class NodeGate {
  readonly #context: Context;
  readonly #open = new Map<string, Set<OpenCall>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Returns how to stop. */
  start(): () => void {
    const stopWatching = this.#context.store.view.nodes.subscribe(({ id }) => this.#judgeAgain(id));
    const sweep = setInterval(() => {
      for (const nodeId of [...this.#open.keys()]) this.#judgeAgain(nodeId, SWEEP_MS);
    }, SWEEP_MS);
    return () => {
      stopWatching();
      clearInterval(sweep);
    };
  }

  readonly interceptor: ServerInterceptor = (_method, call) => {
    const identity = identityOf(call);
    const refusal = this.#refusalOf(identity, 0);
    if (identity === null || refusal !== null) {
      if (refusal !== null) this.#count(refusal);
      return refusing(call, refusal);
    }
    const open: OpenCall = { identity, call };
    this.#add(open);
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, go) => go(metadata),
          onReceiveMessage: (message, go) => go(message),
          onReceiveHalfClose: (go) => go(),
          onCancel: () => this.#remove(open),
        }),
      sendStatus: (status, next) => {
        this.#remove(open);
        next(status);
      },
    });
  };

  #refusalOf(identity: NodeIdentity | null, earlyMs: number): Refusal | null {
    const { store, clock, authority } = this.#context;
    const node = identity === null ? undefined : store.view.nodes.get(identity.nodeId)?.value;
    const refusal = whyRefused(identity, node, clock.now() + earlyMs);
    return refusal ?? whyRootRefused(identity, authority?.current().trusted.names ?? null);
  }

  #judgeAgain(nodeId: string, earlyMs = 0): void {
    for (const open of [...(this.#open.get(nodeId) ?? [])]) {
      const refusal = this.#refusalOf(open.identity, earlyMs);
      if (refusal === null) continue;
      this.#remove(open);
      this.#count(refusal);
      open.call.sendStatus(refusal);
    }
  }

  #count(refusal: Refusal): void {
    this.#context.metrics.fleet.callRefused(reasonOf(refusal));
  }

  #add(open: OpenCall): void {
    const { nodeId } = open.identity;
    const calls = this.#open.get(nodeId) ?? new Set();
    this.#open.set(nodeId, calls.add(open));
  }

  #remove(open: OpenCall): void {
    const { nodeId } = open.identity;
    const calls = this.#open.get(nodeId);
    if (calls?.delete(open) && calls.size === 0) this.#open.delete(nodeId);
  }
}

/** A call that its handler never receives. */
function refusing(call: ServerInterceptingCallInterface, refusal: Refusal | null): ServerInterceptingCall {
  return new ServerInterceptingCall(call, {
    start: () => call.sendStatus({ code: refusal?.code ?? 0, details: refusal?.details ?? "" }),
  });
}

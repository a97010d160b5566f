/**
 * Stands before every call of agents, whatever it is: lets none in that may not call, and ends those under way when
 * their node is evicted or enrolled again, their certificate ends, or its root is retired.
 */
import type { Duplex } from "node:stream";
import type { Clock } from "@elastic/std/clock.ts";
import { ServerInterceptingCall, type ServerInterceptingCallInterface, type ServerInterceptor } from "@grpc/grpc-js";
import type { AuthoritySource } from "../enrollment/authority.ts";
import type { FleetMetrics } from "../metrics/fleet-metrics.ts";
import type { Store } from "../store/store.ts";
import { reasonOf, whyRefused, whyRootRefused } from "./admit-node.ts";
import { identityOf, type NodeIdentity } from "./node-identity.ts";
import { type Refusal, UNREADABLE_NODE } from "./refusal.ts";
import type { Violations } from "./violations.ts";

/** No call outlives its certificate: it is ended up to so long before. */
const SWEEP_MS = 500;

const DETAILS_LENGTH_MAX = 200;

interface Context {
  readonly store: Pick<Store, "view">;
  readonly clock: Clock;
  /** Null where certificates come from elsewhere. */
  readonly authority: AuthoritySource | null;
  readonly metrics: { readonly fleet: Pick<FleetMetrics, "callRefused"> };
  readonly violations: Pick<Violations, "note">;
}

/** A call, or a connection that carries none. */
interface OpenCall {
  readonly identity: NodeIdentity;
  readonly end: (refusal: Refusal) => void;
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
    readCertificateOnce(call);
    const identity = identityOf(call);
    const refusal = this.#refusalOf(identity, 0);
    if (identity === null || refusal !== null) {
      if (refusal !== null) this.#count(refusal);
      return refusing(call, refusal);
    }
    const open: OpenCall = { identity, end: (why) => call.sendStatus(why) };
    this.#add(open);
    onUnreadable(call, (why) => this.#context.violations.note(identity.nodeId, "message", why));
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

  /** The same for a connection without calls: whether it may stay, which it may no longer once its node may not call. */
  admit(identity: NodeIdentity | null, socket: Duplex): boolean {
    const refusal = this.#refusalOf(identity, 0);
    if (refusal !== null) this.#count(refusal);
    if (identity === null || refusal !== null) return false;
    const open: OpenCall = { identity, end: () => socket.destroy() };
    this.#add(open);
    socket.once("close", () => this.#remove(open));
    return true;
  }

  #refusalOf(identity: NodeIdentity | null, earlyMs: number): Refusal | null {
    const { store, clock, authority } = this.#context;
    const node = identity === null ? undefined : store.view.nodes.get(identity.nodeId)?.value;
    if (identity !== null && store.view.isUnreadable("nodes", identity.nodeId)) return UNREADABLE_NODE;
    const refusal = whyRefused(identity, node, clock.now() + earlyMs);
    return refusal ?? whyRootRefused(identity, authority?.current().trusted.names ?? null);
  }

  #judgeAgain(nodeId: string, earlyMs = 0): void {
    for (const open of [...(this.#open.get(nodeId) ?? [])]) {
      const refusal = this.#refusalOf(open.identity, earlyMs);
      if (refusal === null) continue;
      this.#remove(open);
      this.#count(refusal);
      open.end(refusal);
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

/** A certificate is taken apart at each request for it, at a tenth of a millisecond: for the gate, and for the call's handler. */
function readCertificateOnce(call: ServerInterceptingCallInterface): void {
  const context = call.getAuthContext();
  call.getAuthContext = () => context;
}

/** What gRPC itself says of a message that it refuses: too large, no message of the contract, or compressed into none. */
const UNREADABLE = /^(?:Received message|Error deserializing request|Failed to decompress)/;

/** Such a message reaches no interceptor: the call that they wrap ends itself. */
function onUnreadable(call: ServerInterceptingCallInterface, noted: (why: string) => void): void {
  const sendStatus = call.sendStatus.bind(call);
  call.sendStatus = (status) => {
    const { details = "" } = status;
    if (UNREADABLE.test(details)) noted(details.slice(0, DETAILS_LENGTH_MAX));
    sendStatus(status);
  };
}

/** A call that its handler never receives. */
function refusing(call: ServerInterceptingCallInterface, refusal: Refusal | null): ServerInterceptingCall {
  return new ServerInterceptingCall(call, {
    start: () => call.sendStatus({ code: refusal?.code ?? 0, details: refusal?.details ?? "" }),
  });
}

/**
 * Opens tunnels: sends a request to the agent of the assignment's node over its link here, and waits for the call in which the
 * agent names the tunnel. A tunnel stands no longer than its node's link, but for the moment that a link takes to
 * come back.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import type { OpenTunnel, TunnelRequest } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import { mayTakeMore } from "@elastic/std/fair-share.ts";
import { status } from "@grpc/grpc-js";
import { isOfShell } from "../domain/assignment.ts";
import { type SshTunnel, TunnelError, type TunnelKind, type TunnelStream, type Tunnels } from "../tunnels/tunnels.ts";
import type { FleetContext } from "./fleet-context.ts";
import { TUNNEL_LINK_GRACE_MS, TUNNEL_OPENS_WITHIN_MS, TUNNELS_PER_NODE_MAX } from "./limits.ts";
import { identityOf, type NodeIdentity } from "./node-identity.ts";
import { NO_NODE_IDENTITY, Refusal, refusalOf } from "./refusal.ts";
import { CallTunnel, type TunnelCall } from "./tunnel-stream.ts";

type Context = Pick<FleetContext, "store" | "links" | "log">;

const NO_SUCH_TUNNEL = new Refusal(status.NOT_FOUND, "no tunnel of that id waits for this node");
const UNLINKED = new Refusal(status.UNAVAILABLE, "the shell's machine is not connected any more");

type WantedKind = NonNullable<OpenTunnel["kind"]>;

interface Opening {
  readonly nodeId: string;
  /** Of the link on which the agent was sent the tunnel's id, which nobody else was. */
  readonly sentTo: NodeIdentity;
  readonly assignmentId: string;
  /** Of an sshd the agent opens a connection, of all else a call. */
  readonly kind: WantedKind["$case"];
  readonly opened: (by: TunnelCall | Duplex) => void;
  readonly failed: (error: Error) => void;
}

/** A tunnel that stands. */
interface Standing {
  readonly over: Promise<unknown>;
  /** Ends it. */
  refuse(refusal: Refusal): void;
}

export class TunnelOpenings implements Tunnels {
  readonly #context: Context;
  readonly #openings = new Map<string, Opening>();
  /** Those that stand, by node, each with its assignment. */
  readonly #standing = new Map<string, Map<Standing, string>>();
  readonly #graces = new Map<string, NodeJS.Timeout>();

  constructor(context: Context) {
    this.#context = context;
  }

  start(): () => void {
    const stop = this.#context.links.subscribe((nodeId) => this.#linkChanged(nodeId));
    return () => {
      stop();
      for (const timer of this.#graces.values()) clearTimeout(timer);
      for (const nodeId of [...this.#standing.keys()]) this.#cut(nodeId);
    };
  }

  async open(assignmentId: string, kind: TunnelKind, signal: AbortSignal): Promise<TunnelStream> {
    return await this.#request(assignmentId, wantedKind(kind), signal, (nodeId, by) => {
      const tunnel = new CallTunnel(by as TunnelCall);
      this.#keep(nodeId, assignmentId, tunnel);
      return tunnel;
    });
  }

  async openSsh(assignmentId: string, ssh: SshTunnel, signal: AbortSignal): Promise<Duplex> {
    return await this.#request(assignmentId, { $case: "ssh", value: ssh }, signal, (nodeId, by) => {
      const socket = by as Duplex;
      const over = new Promise((resolve) => socket.once("close", resolve));
      this.#keep(nodeId, assignmentId, { over, refuse: () => socket.destroy() });
      return socket;
    });
  }

  /** `made` is called as soon as the agent has opened it. */
  async #request<Tunnel>(
    assignmentId: string,
    kind: WantedKind,
    signal: AbortSignal,
    made: (nodeId: string, by: TunnelCall | Duplex) => Tunnel,
  ): Promise<Tunnel> {
    const { store, links } = this.#context;
    signal.throwIfAborted();
    const assignment = store.view.assignments.get(assignmentId)?.value;
    if (assignment === undefined || !isOfShell(assignment)) throw new TunnelError("the shell is not running");
    const { nodeId } = assignment;
    const link = links.get(nodeId);
    if (link === undefined) throw new TunnelError("the shell's machine is not connected; try again in a moment");
    const all = this.#assignmentsOn(nodeId);
    const own = all.filter((of) => of === assignmentId).length;
    if (!mayTakeMore({ own, taken: all.length, max: TUNNELS_PER_NODE_MAX })) {
      throw new TunnelError("too many sessions are open in this shell, or on its machine; end some, or try again");
    }
    const tunnelId = randomBytes(16).toString("hex");
    const within = AbortSignal.any([signal, AbortSignal.timeout(TUNNEL_OPENS_WITHIN_MS)]);
    const opened = Promise.withResolvers<Tunnel>();
    this.#openings.set(tunnelId, {
      nodeId,
      sentTo: link.identity,
      assignmentId,
      kind: kind.$case,
      opened: (by) => opened.resolve(made(nodeId, by)),
      failed: opened.reject,
    });
    const giveUp = () =>
      opened.reject(signal.aborted ? signal.reason : new TunnelError("the shell's machine does not respond"));
    within.addEventListener("abort", giveUp, { once: true });
    try {
      link.send({ $case: "openTunnel", value: { tunnelId, assignmentId, kind } });
      return await opened.promise;
    } finally {
      within.removeEventListener("abort", giveUp);
      this.#openings.delete(tunnelId);
    }
  }

  /** An agent's call. */
  async handle(call: TunnelCall): Promise<void> {
    try {
      const identity = identityOf(call);
      if (identity === null) throw NO_NODE_IDENTITY;
      const message = await firstMessage(call);
      if (message?.$case !== "opened" && message?.$case !== "failed") throw NO_SUCH_TUNNEL;
      const opening = this.#openings.get(message.value.tunnelId);
      const isRight = message.$case === "failed" || opening?.kind !== "ssh";
      if (opening?.nodeId !== identity.nodeId || !isRight) throw NO_SUCH_TUNNEL;
      this.#openings.delete(message.value.tunnelId);
      if (message.$case === "failed") {
        opening.failed(new TunnelError(message.value.message));
        call.end();
        return;
      }
      opening.opened(call);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#context.log.debug({ err: error }, "a tunnel broke as it was opened");
      call.emit("error", refusalOf(error));
    }
  }

  /** Who knows the id of that tunnel to an sshd; null where none of that id waits. */
  holderOf(tunnelId: string): NodeIdentity | null {
    const opening = this.#openings.get(tunnelId);
    return opening?.kind === "ssh" ? opening.sentTo : null;
  }

  /** An agent's connection to an sshd; false where none of that id waits for the node. */
  accept(nodeId: string, tunnelId: string, socket: Duplex): boolean {
    const opening = this.#openings.get(tunnelId);
    if (opening?.nodeId !== nodeId || opening.kind !== "ssh") return false;
    this.#openings.delete(tunnelId);
    opening.opened(socket);
    return true;
  }

  /** Of each tunnel there that stands or is being opened. */
  #assignmentsOn(nodeId: string): readonly string[] {
    const opening = [...this.#openings.values()].filter((one) => one.nodeId === nodeId);
    return [...opening.map(({ assignmentId }) => assignmentId), ...(this.#standing.get(nodeId)?.values() ?? [])];
  }

  #keep(nodeId: string, assignmentId: string, tunnel: Standing): void {
    const standing = this.#standing.get(nodeId) ?? new Map<Standing, string>();
    this.#standing.set(nodeId, standing.set(tunnel, assignmentId));
    void tunnel.over.then(() => {
      standing.delete(tunnel);
      if (standing.size === 0 && this.#standing.get(nodeId) === standing) this.#standing.delete(nodeId);
    });
  }

  /** A link that is opened again at once, for another leader or a new certificate, costs no session. */
  #linkChanged(nodeId: string): void {
    clearTimeout(this.#graces.get(nodeId));
    this.#graces.delete(nodeId);
    if (this.#context.links.get(nodeId) !== undefined || this.#assignmentsOn(nodeId).length === 0) return;
    const cut = setTimeout(() => {
      this.#graces.delete(nodeId);
      this.#cut(nodeId);
    }, TUNNEL_LINK_GRACE_MS);
    this.#graces.set(nodeId, cut);
  }

  #cut(nodeId: string): void {
    for (const opening of this.#openings.values()) {
      if (opening.nodeId === nodeId) opening.failed(new TunnelError(UNLINKED.details));
    }
    for (const tunnel of [...(this.#standing.get(nodeId)?.keys() ?? [])]) tunnel.refuse(UNLINKED);
  }
}

/** Whatever comes after it stays in the call. */
async function firstMessage(call: TunnelCall): Promise<TunnelRequest["message"]> {
  // An error before the tunnel is known is nobody's.
  call.on("error", () => undefined);
  let message: TunnelRequest["message"];
  call.once("data", (request: TunnelRequest) => {
    call.pause();
    message = request.message;
  });
  await once(call, "data", { signal: AbortSignal.timeout(TUNNEL_OPENS_WITHIN_MS) });
  return message;
}

function wantedKind(kind: TunnelKind): WantedKind {
  if (kind.kind === "port") return { $case: "port", value: { port: kind.port } };
  const { command, terminal, env } = kind;
  const exec = { command: command ?? undefined, terminal: terminal ?? undefined, env: { ...env } };
  return { $case: "exec", value: exec };
}

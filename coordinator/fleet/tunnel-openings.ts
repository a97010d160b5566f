/**
 * Opens tunnels: sends a request to the agent of the assignment's node over its link here, and waits for the call in which the
 * agent names the tunnel. A tunnel stands no longer than its node's link, but for the moment that a link takes to
 * come back.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { OpenTunnel, TunnelRequest } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import { mayTakeMore } from "@elastic/std/fair-share.ts";
import { status } from "@grpc/grpc-js";
import { isOfShell } from "../domain/assignment.ts";
import { TunnelError, type TunnelKind, type TunnelStream, type Tunnels } from "../tunnels/tunnels.ts";
import type { FleetContext } from "./fleet-context.ts";
import { TUNNEL_LINK_GRACE_MS, TUNNEL_OPENS_WITHIN_MS, TUNNELS_PER_NODE_MAX } from "./limits.ts";
import { identityOf } from "./node-identity.ts";
import { NO_NODE_IDENTITY, Refusal, refusalOf } from "./refusal.ts";
import { CallTunnel, type TunnelCall } from "./tunnel-stream.ts";

type Context = Pick<FleetContext, "store" | "links" | "log">;

const NO_SUCH_TUNNEL = new Refusal(status.NOT_FOUND, "no tunnel of that id waits for this node");
const UNLINKED = new Refusal(status.UNAVAILABLE, "the shell's machine is not connected any more");

interface Opening {
  readonly nodeId: string;
  readonly assignmentId: string;
  readonly opened: (tunnel: CallTunnel) => void;
  readonly failed: (error: Error) => void;
}

export class TunnelOpenings implements Tunnels {
  readonly #context: Context;
  readonly #openings = new Map<string, Opening>();
  /** Those that stand, by node, each with its assignment. */
  readonly #standing = new Map<string, Map<CallTunnel, string>>();
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
    const opened = Promise.withResolvers<CallTunnel>();
    this.#openings.set(tunnelId, { nodeId, assignmentId, opened: opened.resolve, failed: opened.reject });
    const giveUp = () =>
      opened.reject(signal.aborted ? signal.reason : new TunnelError("the shell's machine does not respond"));
    within.addEventListener("abort", giveUp, { once: true });
    try {
      link.send({ $case: "openTunnel", value: openTunnel(tunnelId, assignmentId, kind) });
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
      if (opening?.nodeId !== identity.nodeId) throw NO_SUCH_TUNNEL;
      this.#openings.delete(message.value.tunnelId);
      if (message.$case === "failed") {
        opening.failed(new TunnelError(message.value.message));
        call.end();
        return;
      }
      const tunnel = new CallTunnel(call);
      this.#keep(opening, tunnel);
      opening.opened(tunnel);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#context.log.debug({ err: error }, "a tunnel broke as it was opened");
      call.emit("error", refusalOf(error));
    }
  }

  /** Of each tunnel there that stands or is being opened. */
  #assignmentsOn(nodeId: string): readonly string[] {
    const opening = [...this.#openings.values()].filter((one) => one.nodeId === nodeId);
    return [...opening.map(({ assignmentId }) => assignmentId), ...(this.#standing.get(nodeId)?.values() ?? [])];
  }

  #keep({ nodeId, assignmentId }: Opening, tunnel: CallTunnel): void {
    const standing = this.#standing.get(nodeId) ?? new Map();
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

function openTunnel(tunnelId: string, assignmentId: string, kind: TunnelKind): OpenTunnel {
  if (kind.kind === "port") {
    return { tunnelId, assignmentId, kind: { $case: "port", value: { port: kind.port } } };
  }
  const { command, terminal, env } = kind;
  const exec = { command: command ?? undefined, terminal: terminal ?? undefined, env: { ...env } };
  return { tunnelId, assignmentId, kind: { $case: "exec", value: exec } };
}

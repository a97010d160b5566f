/** Serves the streams of agents, whatever carries them: receives what they report, and sends what they shall run. */
import type { EgressRule } from "@elastic/std/net/egress-rule.ts";
import type { AuthoritySource } from "../enrollment/authority.ts";
import { handleConnect } from "./connect.ts";
import type { FleetContext } from "./fleet-context.ts";
import type { Link, LinkCall } from "./link.ts";
import { DECLARED_LOST } from "./refusal.ts";
import { AssignmentSender } from "./send-assignments.ts";
import { AttemptSender } from "./send-attempts.ts";
import { NodeStateSender } from "./send-node-states.ts";

export interface LinkServerOptions extends FleetContext {
  readonly coordinatorId: string;
  /** Of one attempt's log; 0 for no logs. */
  readonly logBytesMax: number;
  /** Where shells may connect at all. */
  readonly shellEgress: readonly EgressRule[];
  /** Null where certificates come from elsewhere. */
  readonly authority: AuthoritySource | null;
  /** Read at each welcome. */
  readonly coordinators: { addresses(): readonly string[] };
}

export interface LinkServer {
  connect(call: LinkCall): void;
  /** Returns the way to stop. */
  start(): () => void;
}

export function serveLinks(options: LinkServerOptions): LinkServer {
  const { coordinators, leadership, contacts, links } = options;
  const context: FleetContext = options;
  const attempts = new AttemptSender(context);
  const assignments = new AssignmentSender(options);
  const states = new NodeStateSender(context);
  const resend = (link: Link) => {
    assignments.resend(link.nodeId);
    attempts.resync(link);
    states.send(link);
  };
  /** A hello may cross the loss of its node, or come to another coordinator than the one that declares it. */
  const endIfLost = (link: Link): boolean => {
    const isLost = context.store.view.nodes.get(link.nodeId)?.value.state === "lost";
    if (isLost) link.end(DECLARED_LOST);
    return isLost;
  };
  const sendAll = (link: Link) => {
    if (!endIfLost(link)) resend(link);
  };
  const connect = {
    ...options,
    addresses: () => coordinators.addresses(),
    opened: sendAll,
    sendState: (link: Link, orderRefused: string | null) => states.send(link, orderRefused),
  };
  return {
    connect: (call) => handleConnect(connect, call),
    start: () => {
      const stops = [
        attempts.start(),
        assignments.start(),
        states.start(),
        leadership.subscribe(() => {
          if (leadership.epoch() === null) return;
          for (const link of [...links.values()]) sendAll(link);
        }),
        contacts.onRelayed((nodeId) => {
          const link = links.get(nodeId);
          if (link !== undefined) resend(link);
        }),
        context.store.view.nodes.subscribe(({ id, before, after }) => {
          if (after?.value.state === "lost") {
            links.declareLost(id);
            return;
          }
          const link = links.get(id);
          // Which of its attempts died with the agent before, if any, shows only now.
          if (link !== undefined && before?.value.sessionId !== after?.value.sessionId) attempts.resync(link);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

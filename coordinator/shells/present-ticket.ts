/**
 * What becomes of a client that shows a ticket: it gets an sshd in the shell's container to itself, whose host key it can
 * check, and where the shell's image or the machine's agent has none, the gateway serves it.
 */
import type { Duplex } from "node:stream";
import { pause } from "@elastic/std/pause.ts";
import type { ConnectionTicket } from "../auth/terminal-tickets.ts";
import { TunnelError } from "../tunnels/tunnels.ts";
import type { GatewayContext } from "./client.ts";
import { certifiedKey } from "./host-certificate.ts";
import { REFUSAL_AFTER_MS, SSHD_WITHIN_MS } from "./limits.ts";
import type { PasswordThrottle } from "./password-throttle.ts";
import type { RefusedLogins } from "./refused-logins.ts";
import type { LoginShell } from "./shell-directory.ts";

export interface TicketContext extends GatewayContext {
  readonly throttle: PasswordThrottle;
  readonly refused: RefusedLogins;
  /** The gateway's own, in OpenSSH's format. */
  readonly hostKey: Buffer;
}

export interface Presented {
  readonly shell: LoginShell;
  readonly ticket: ConnectionTicket;
  /** Null where the gateway serves the client. */
  readonly sshd: Duplex | null;
}

/** Tickets that are none slow down their source as wrong passwords do; where one was good before, neither the other. */
const TICKETS = "tickets";

/** Null for one that opens nothing, which takes a moment whatever the reason. */
export async function presentTicket(
  context: TicketContext,
  text: string,
  from: { readonly source: string; readonly address: string; readonly over: AbortSignal },
): Promise<Presented | null> {
  const { directory, throttle, refused, metrics } = context;
  const refusalDue = pause(REFUSAL_AFTER_MS, from.over);
  const waitMs = throttle.waitMs(from.source, TICKETS);
  if (waitMs > 0) {
    metrics.throttled();
    await pause(waitMs, from.over);
  }
  const ticket = from.over.aborted ? null : await directory.useTicket(text);
  const shell = ticket === null ? null : directory.find(ticket.shellId);
  if (ticket !== null && shell !== null) {
    throttle.succeeded(from.source, TICKETS);
    return { shell, ticket, sshd: await openSshd(context, shell, ticket.clientKey, from.over) };
  }
  throttle.failed(from.source, TICKETS);
  refused.note({ by: "ticket", address: from.address });
  await refusalDue;
  return null;
}

async function openSshd(
  { tunnels, hostKey, clock, log }: TicketContext,
  { id: shellId, assignmentId }: LoginShell,
  clientKey: string,
  over: AbortSignal,
): Promise<Duplex | null> {
  // What it is missing the client reads in its session.
  if (assignmentId === null) return null;
  const within = AbortSignal.any([over, AbortSignal.timeout(SSHD_WITHIN_MS)]);
  try {
    const certified = certifiedKey(hostKey, shellId, clock.now());
    return await tunnels.openSsh(assignmentId, { ...certified, clientKey }, within);
  } catch (error) {
    const isExpected = error instanceof TunnelError || within.aborted;
    if (!isExpected) log.warn({ err: error, shellId }, "an sshd could not be reached");
    return null;
  }
}

/** One connection to the gateway: from its first byte to a login, and then until it ends or is ended. */
import type { Socket } from "node:net";
import { pause } from "@elastic/std/pause.ts";
import type { AuthContext, Connection, PasswordAuthContext, PublicKeyAuthContext } from "ssh2";
import { audit } from "../auth/audit.ts";
import type { ConnectionTicket } from "../auth/terminal-tickets.ts";
import { type ShellLogin, stillAdmits } from "../domain/shell-login.ts";
import { type Admitted, checkKey, checkPassword, checkTicketKey } from "./check-login.ts";
import { Client } from "./client.ts";
import type { ConnectionCount, Counted } from "./connection-count.ts";
import { handleForward } from "./forward.ts";
import {
  CLOSES_WITHIN_MS,
  KEEPALIVE_EVERY_MS,
  LOGIN_GRACE_MS,
  LOGIN_TRIES_PER_CONNECTION_MAX,
  REFUSAL_AFTER_MS,
  SESSIONS_PER_CONNECTION_MAX,
} from "./limits.ts";
import type { TerminalNotifier } from "./notify-terminals.ts";
import { openSession } from "./open-session.ts";
import { presentTicket, type TicketContext } from "./present-ticket.ts";
import { readInTurns } from "./read-in-turns.ts";
import { relay } from "./relay.ts";
import { noticeLine, ShellNotices } from "./shell-notices.ts";
import { sourceOf } from "./source.ts";

export interface ConnectionContext extends TicketContext {
  readonly count: ConnectionCount;
  readonly notifier: TerminalNotifier;
}

const METHODS = ["publickey", "password"] as const;

export class GatewayConnection implements Counted {
  readonly source: string;
  readonly #context: ConnectionContext;
  readonly #socket: Socket;
  readonly #address: string;
  readonly #over = new AbortController();
  readonly #grace: NodeJS.Timeout;
  readonly #openedAtMs: number;
  readonly #notices: ShellNotices;
  #ssh: Connection | null = null;
  #client: Client | null = null;
  /** Which the client has shown. */
  #ticket: ConnectionTicket | null = null;
  /** Of the run whose sshd the client speaks with. */
  #sshdOf: string | null = null;
  #tries = 0;

  constructor(context: ConnectionContext, socket: Socket) {
    this.#context = context;
    this.#socket = socket;
    this.#address = socket.remoteAddress ?? "";
    this.source = sourceOf(socket.remoteAddress);
    this.#openedAtMs = context.clock.monotonicMs();
    this.#notices = new ShellNotices(context.clock);
    this.#grace = setTimeout(() => this.drop(), LOGIN_GRACE_MS);
    socket.setNoDelay(true);
    socket.once("close", () => this.#ended());
    context.count.opened(this);
  }

  /** Resolves with "served" when it is over; with "speaks" when the client is to speak SSH with the gateway. */
  async presents(text: string): Promise<"served" | "speaks"> {
    const from = { source: this.source, address: this.#address, over: this.#over.signal };
    const presented = await presentTicket(this.#context, text, from);
    if (presented === null) {
      this.drop();
      return "served";
    }
    const { shell, ticket, sshd } = presented;
    this.#ticket = ticket;
    if (sshd === null) {
      // It has waited for the machine, and has its time to log in all the same.
      this.#grace.refresh();
      return "speaks";
    }
    const { userId, keyId } = ticket;
    const client = this.#over.signal.aborted ? null : this.#enter({ shell, login: { by: "ticket", userId, keyId } });
    if (client === null) {
      sshd.destroy();
      return "served";
    }
    this.#sshdOf = shell.assignmentId;
    this.#socket.setKeepAlive(true, KEEPALIVE_EVERY_MS);
    await relay(this.#socket, sshd, client, this.#over.signal);
    return "served";
  }

  /** The client has said that it speaks SSH. */
  speaks(ssh: Connection): void {
    this.#ssh = ssh;
    readInTurns(this.#socket);
    ssh.on("error", () => {
      if (this.#client === null) this.drop();
    });
    ssh.on("authentication", (auth) => void this.#authenticate(auth).catch(() => this.drop()));
    // The library takes what comes before it calls this, so what exceeds is seen at once.
    this.#socket.on("data", () => {
      if (this.#client?.overfills) this.drop();
    });
  }

  drop(): void {
    this.#socket.destroy();
  }

  /** Ends a login that is no longer valid, and sends notices that are due. */
  review(): void {
    const client = this.#client;
    const { directory } = this.#context;
    if (client === null || !directory.isKnown()) return;
    const shell = directory.find(client.shellId);
    const may = {
      hasKey: (userId: string, keyId: string) => shell !== null && directory.hasKey(shell.teamId, userId, keyId),
      mayConnect: (keyId: string) => shell !== null && directory.mayConnect(shell.teamId, keyId),
    };
    if (!stillAdmits(shell, client.login, may)) {
      this.close("what you logged in with is no longer good for this shell, or it was deleted");
      return;
    }
    const sshdOf = this.#sshdOf;
    // The run that it led into is over.
    if (sshdOf !== null && shell?.assignmentId !== sshdOf) {
      this.drop();
      return;
    }
    this.#notices.review(shell, client.bytesIn + client.bytesOut, (text) => {
      if (sshdOf === null) return client.notify(text);
      this.#context.notifier.show(sshdOf, noticeLine(text));
      return true;
    });
  }

  /** Says why, and ends. */
  close(why: string): void {
    // Nobody but the sshd can say something to its client.
    if (this.#ssh === null) {
      this.drop();
      return;
    }
    this.#client?.notify(why);
    this.#ssh.end();
    setTimeout(() => this.drop(), CLOSES_WITHIN_MS).unref();
  }

  async #authenticate(auth: AuthContext): Promise<void> {
    if (auth.method === "none") return auth.reject([...METHODS]);
    this.#tries += 1;
    if (this.#tries > LOGIN_TRIES_PER_CONNECTION_MAX) return this.close("too many tries");
    if (auth.method === "publickey") return this.#tryKey(auth);
    if (auth.method === "password" && this.#ticket === null) return await this.#tryPassword(auth);
    auth.reject([...METHODS]);
  }

  #tryKey(auth: PublicKeyAuthContext): void {
    const { directory } = this.#context;
    const admitted = this.#ticket === null ? checkKey(directory, auth) : checkTicketKey(directory, this.#ticket, auth);
    if (admitted === null) auth.reject([...METHODS]);
    else if (!admitted.proved) auth.accept();
    else this.#admit(auth, admitted);
  }

  async #tryPassword(auth: PasswordAuthContext): Promise<void> {
    const { directory, throttle, refused, metrics } = this.#context;
    const refusalDue = pause(REFUSAL_AFTER_MS, this.#over.signal);
    const shellId = auth.username.slice(0, 64);
    const waitMs = throttle.waitMs(this.source, shellId);
    if (waitMs > 0) {
      // Whoever floods finds its connections taken by its own waiting; nothing is looked at meanwhile.
      metrics.throttled();
      await pause(waitMs, this.#over.signal);
    }
    if (this.#over.signal.aborted) return;
    const admitted = checkPassword(directory, auth.username, auth.password);
    if (admitted !== null) {
      throttle.succeeded(this.source, shellId);
      return this.#admit(auth, admitted);
    }
    throttle.failed(this.source, shellId);
    metrics.refused();
    refused.note({ shellId, address: this.#address });
    await refusalDue;
    if (!this.#over.signal.aborted) auth.reject([...METHODS]);
  }

  /** Null, and the connection ends, where too many are in. */
  #enter({ shell, login }: Admitted): Client | null {
    const { count, log, metrics } = this.#context;
    clearTimeout(this.#grace);
    if (!count.loggedIn(this, shell.id)) {
      metrics.turnedAway();
      this.drop();
      return null;
    }
    const client = new Client(
      this.#context,
      { shellId: shell.id, login },
      {
        socket: this.#socket,
        over: this.#over.signal,
      },
    );
    this.#client = client;
    metrics.loggedIn(login.by);
    audit(log, "shell_login", this.#facts(shell.id, login));
    return client;
  }

  #admit(auth: AuthContext, admitted: Admitted): void {
    const ssh = this.#ssh;
    if (ssh === null || this.#client !== null || this.#over.signal.aborted) return;
    const client = this.#enter(admitted);
    if (client === null) return;
    ssh.on("session", (accept, reject) => {
      if (client.sessions >= SESSIONS_PER_CONNECTION_MAX) reject();
      else if (!openSession(client, ssh, accept())) this.drop();
    });
    ssh.on("tcpip", (accept, reject, info) => handleForward(client, accept, reject, info));
    // Ports of the gateway's own machine are nobody's.
    ssh.on("request", (_accept, reject) => reject?.());
    auth.accept();
  }

  #ended(): void {
    const { count, log, clock, metrics } = this.#context;
    clearTimeout(this.#grace);
    this.#over.abort();
    const client = this.#client;
    if (client === null) {
      count.closed(this);
      return;
    }
    count.loggedOut(this, client.shellId);
    metrics.loggedOut();
    const seconds = Math.round((clock.monotonicMs() - this.#openedAtMs) / 1000);
    const { bytesIn, bytesOut } = client;
    audit(log, "shell_logout", { ...this.#facts(client.shellId, client.login), seconds, bytesIn, bytesOut });
  }

  #facts(shellId: string, login: ShellLogin): Readonly<Record<string, unknown>> {
    const who = login.by === "password" ? {} : { userId: login.userId, keyId: login.keyId };
    return { shellId, by: login.by, ...who, address: this.#address };
  }
}

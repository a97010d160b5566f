/** One client that has logged in: what its sessions and forwarded connections share. */
import type { Socket } from "node:net";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { ServerChannel } from "ssh2";
import type { ShellLogin } from "../domain/shell-login.ts";
import type { SshMetrics } from "../metrics/ssh-metrics.ts";
import type { Tunnels } from "../tunnels/tunnels.ts";
import type { Traffic } from "./carry.ts";
import { UNREAD_BYTES_MAX } from "./limits.ts";
import type { ShellDirectory } from "./shell-directory.ts";

export interface GatewayContext {
  readonly directory: ShellDirectory;
  readonly tunnels: Tunnels;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: SshMetrics;
}

export class Client implements Traffic {
  readonly context: GatewayContext;
  readonly shellId: string;
  readonly login: ShellLogin;
  readonly socket: Socket;
  /** Aborts with the connection. */
  readonly over: AbortSignal;
  sessions = 0;
  forwards = 0;
  bytesIn = 0;
  bytesOut = 0;
  readonly #channels = new Set<ServerChannel>();
  /** Writers to its terminals, for notices to the user. */
  readonly #terminals = new Set<(text: string) => void>();

  constructor(
    context: GatewayContext,
    who: { readonly shellId: string; readonly login: ShellLogin },
    { socket, over }: { readonly socket: Socket; readonly over: AbortSignal },
  ) {
    this.context = context;
    this.shellId = who.shellId;
    this.login = who.login;
    this.socket = socket;
    this.over = over;
  }

  readonly moved = (direction: "in" | "out", bytes: number): void => {
    if (direction === "in") this.bytesIn += bytes;
    else this.bytesOut += bytes;
    this.context.metrics.moved(direction, bytes);
    this.context.directory.used(this.shellId, this.context.clock.now());
  };

  /** Counts a channel until it closes. */
  opened(channel: ServerChannel): void {
    this.#channels.add(channel);
    channel.on("error", () => undefined);
    channel.once("close", () => this.#channels.delete(channel));
  }

  /** Whether it has sent more than it was allowed to. */
  get overfills(): boolean {
    for (const channel of this.#channels) if (channel.readableLength > UNREAD_BYTES_MAX) return true;
    return false;
  }

  addTerminal(write: (text: string) => void): () => void {
    this.#terminals.add(write);
    return () => this.#terminals.delete(write);
  }

  /** Writes a line on each of its terminals; false where it has none. */
  notify(text: string): boolean {
    for (const write of this.#terminals) write(text);
    return this.#terminals.size > 0;
  }
}

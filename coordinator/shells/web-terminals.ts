/** Terminals in shells that do not come over SSH: the same tunnels, uses, warnings and audit lines as a session has. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { audit } from "../auth/audit.ts";
import type { ShellTerminal, ShellTerminals, TerminalRequest } from "../tunnels/shell-terminals.ts";
import { type ExecTunnel, TunnelError, type TunnelStream, type Tunnels } from "../tunnels/tunnels.ts";
import { REVIEW_EVERY_MS } from "./limits.ts";
import { type OpenedTunnel, openTunnel } from "./open-tunnel.ts";
import type { ShellDirectory } from "./shell-directory.ts";
import { ShellNotices } from "./shell-notices.ts";

export interface WebTerminalsOptions {
  readonly directory: Pick<ShellDirectory, "isKnown" | "find" | "used" | "subscribe">;
  readonly tunnels: Tunnels;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What xterm.js understands, and every image's terminfo has. */
const TERMINAL_TYPE = "xterm-256color";
const ENV = { LANG: "C.UTF-8", COLORTERM: "truecolor" };

export function webTerminals(options: WebTerminalsOptions): ShellTerminals {
  return {
    async open(request, signal) {
      const kind: ExecTunnel = {
        kind: "exec",
        command: null,
        terminal: { type: TERMINAL_TYPE, size: request.size },
        env: ENV,
      };
      return new WebTerminal(options, request, await openTunnel(options, request.shellId, kind, signal));
    },
  };
}

class WebTerminal implements ShellTerminal {
  readonly output: AsyncIterable<Buffer>;
  readonly exit: Promise<number | null>;
  readonly #options: WebTerminalsOptions;
  readonly #request: TerminalRequest;
  readonly #tunnel: TunnelStream;
  readonly #assignmentId: string;
  readonly #notices: ShellNotices;
  readonly #openedAtMs: number;
  readonly #stopReviews: () => void;
  #bytesIn = 0;
  #bytesOut = 0;
  /** Why it was ended from this side. */
  #why: TunnelError | null = null;

  constructor(options: WebTerminalsOptions, request: TerminalRequest, { tunnel, assignmentId }: OpenedTunnel) {
    this.#options = options;
    this.#request = request;
    this.#tunnel = tunnel;
    this.#assignmentId = assignmentId;
    this.#notices = new ShellNotices(options.clock);
    this.#openedAtMs = options.clock.monotonicMs();
    this.output = this.#read();
    this.exit = tunnel.exit.catch((error: unknown) => this.#fail(error));
    this.exit.catch(() => undefined).finally(() => this.#ended());
    const unsubscribe = options.directory.subscribe(() => this.#review());
    const timer = setInterval(() => this.#review(), REVIEW_EVERY_MS);
    this.#stopReviews = () => {
      unsubscribe();
      clearInterval(timer);
    };
    this.#audit("shell_login", {});
    // It may have stopped while the tunnel was opened.
    this.#review();
  }

  async write(bytes: Buffer): Promise<void> {
    this.#bytesIn += bytes.length;
    this.#used();
    await this.#tunnel.write(bytes);
  }

  resize(size: { readonly columns: number; readonly rows: number }): void {
    this.#tunnel.resize(size);
  }

  close(): void {
    this.#tunnel.close();
  }

  async *#read(): AsyncIterable<Buffer> {
    try {
      for await (const { bytes } of this.#tunnel.output) {
        this.#bytesOut += bytes.length;
        this.#used();
        yield bytes;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    throw this.#why ?? error;
  }

  /** A stop closes it at once, whatever its container does until it is gone. */
  #review(): void {
    const { directory } = this.#options;
    if (!directory.isKnown()) return;
    const shell = directory.find(this.#request.shellId);
    if (shell?.assignmentId !== this.#assignmentId) {
      this.#why ??= new TunnelError(shell === null ? "the shell was deleted" : "the shell has stopped");
      this.#tunnel.close();
      return;
    }
    this.#notices.review(shell, this.#bytesIn + this.#bytesOut, (text) => {
      this.#request.show(text);
      return true;
    });
  }

  #used(): void {
    this.#options.directory.used(this.#request.shellId, this.#options.clock.now());
  }

  #ended(): void {
    this.#stopReviews();
    const seconds = Math.round((this.#options.clock.monotonicMs() - this.#openedAtMs) / 1000);
    this.#audit("shell_logout", { seconds, bytesIn: this.#bytesIn, bytesOut: this.#bytesOut });
  }

  #audit(event: "shell_login" | "shell_logout", facts: Readonly<Record<string, unknown>>): void {
    const { shellId, userId, keyId, address } = this.#request;
    audit(this.#options.log, event, { shellId, by: "console", userId, keyId, address, ...facts });
  }
}

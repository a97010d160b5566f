/**
 * All terminals that are open in browsers. There are only so many, in all, for one key or session and for one team. Each is
 * reviewed several times a second; when the server stops they all end, and their clients connect to another.
 */
import type { HttpMetrics } from "../../metrics/http-metrics.ts";
import type { ShellTerminals } from "../../tunnels/shell-terminals.ts";
import { type Holder, Shares } from "../limits/shares.ts";
import { Problem } from "../problems/problem.ts";
import type { TerminalConnection } from "./terminal-connection.ts";
import { PING_EVERY_MS, REVIEW_EVERY_MS, TERMINALS } from "./terminal-limits.ts";
import { CLOSE } from "./terminal-message.ts";

export interface TerminalDeps {
  readonly terminals: Terminals;
  /** Null where this process is connected to no machines. */
  readonly shellTerminals: ShellTerminals | null;
}

export class Terminals {
  readonly #metrics: Pick<HttpMetrics, "terminals">;
  readonly #places = new Shares(TERMINALS);
  readonly #open = new Set<TerminalConnection>();
  readonly #timers: readonly NodeJS.Timeout[];
  #stopping = false;

  constructor(metrics: Pick<HttpMetrics, "terminals">) {
    this.#metrics = metrics;
    const each = (act: (one: TerminalConnection) => void) => () => {
      for (const one of this.#open) act(one);
    };
    this.#timers = [
      setInterval(
        each((one) => one.review()),
        REVIEW_EVERY_MS,
      ).unref(),
      setInterval(
        each((one) => one.ping()),
        PING_EVERY_MS,
      ).unref(),
    ];
  }

  /** Throws the refusal of one too many. */
  refuseFull(holder: Holder): void {
    if (!this.#places.take(holder)) {
      throw new Problem("too_many_waits", "Too many terminals are open; close some, or try again later.");
    }
    this.#places.give(holder);
  }

  /** Resolves when it has ended. */
  async run(holder: Holder, connection: TerminalConnection, run: () => Promise<void>): Promise<void> {
    if (!this.#places.take(holder)) return connection.close(CLOSE.tryAgain, "too many terminals are open");
    this.#open.add(connection);
    this.#metrics.terminals(this.#open.size);
    if (this.#stopping) connection.close(CLOSE.stopping, STOPS);
    try {
      await run();
    } finally {
      this.#open.delete(connection);
      this.#places.give(holder);
      this.#metrics.terminals(this.#open.size);
    }
  }

  stop(): void {
    this.#stopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const one of this.#open) one.close(CLOSE.stopping, STOPS);
  }
}

const STOPS = "this coordinator stops; connect again";

/**
 * Shows lines on the terminals of a shell in whose sessions this process cannot write: by a program in its container. All
 * terminals there show it, so several connections to one shell need it once.
 */
import { LRUCache } from "lru-cache";
import type { Tunnels } from "../tunnels/tunnels.ts";

const WITHIN_MS = 10_000;
const ONCE_WITHIN_MS = 60_000;
const SHELLS_MAX = 1_000;
const COMMAND = `for terminal in /dev/pts/[0-9]*; do [ -c "$terminal" ] && printf %s "$NOTICE" > "$terminal"; done; :`;

export class TerminalNotifier {
  readonly #tunnels: Pick<Tunnels, "open">;
  /** By assignment: what was shown a moment ago. */
  readonly #shown = new LRUCache<string, string>({ max: SHELLS_MAX, ttl: ONCE_WITHIN_MS });

  constructor(tunnels: Pick<Tunnels, "open">) {
    this.#tunnels = tunnels;
  }

  /** `text` is what terminals get, with its line breaks. */
  show(assignmentId: string, text: string): void {
    if (this.#shown.get(assignmentId) === text) return;
    this.#shown.set(assignmentId, text);
    // Of a shell that cannot be entered now nobody reads it either.
    void this.#write(assignmentId, text).catch(() => undefined);
  }

  async #write(assignmentId: string, text: string): Promise<void> {
    const exec = { kind: "exec", command: COMMAND, terminal: null, env: { NOTICE: text } } as const;
    const within = AbortSignal.timeout(WITHIN_MS);
    const tunnel = await this.#tunnels.open(assignmentId, exec, within);
    within.addEventListener("abort", () => tunnel.close(), { once: true });
    for await (const _ of tunnel.output);
  }
}

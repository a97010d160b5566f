/**
 * Terminals in shells, for those who bring them to users otherwise than over SSH: implemented by the shells' part, handed in
 * by the composition root. They count as sessions do: they put off the idle stop, are audited, and show what is to come.
 */
import type { TerminalSize } from "./tunnels.ts";

export interface TerminalRequest {
  readonly shellId: string;
  readonly size: TerminalSize;
  /** Who is audited. */
  readonly userId: string;
  /** Of the access key or session. */
  readonly keyId: string;
  readonly address: string;
  /** Shows a line on the terminal. */
  readonly show: (text: string) => void;
}

export interface ShellTerminal {
  /** In the order in which it came. Whoever does not take the next piece makes the program wait. Throws a TunnelError. */
  readonly output: AsyncIterable<Buffer>;
  /** Exit code of the login shell, once all output was taken; null where there is none to know. Rejects with a TunnelError. */
  readonly exit: Promise<number | null>;
  /** Resolves when more may be written. */
  write(bytes: Buffer): Promise<void>;
  resize(size: TerminalSize): void;
  /** Ends it from this side, with all that runs in it. */
  close(): void;
}

export interface ShellTerminals {
  /** Rejects with a TunnelError, or with the signal's reason. */
  open(request: TerminalRequest, signal: AbortSignal): Promise<ShellTerminal>;
}

/**
 * Ways into the container of an assignment, for those who serve users: implemented by the fleet, handed in by the
 * composition root. Bytes go from the user to the container and back, and never through the store.
 */
import type { Duplex } from "node:stream";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface ExecTunnel {
  readonly kind: "exec";
  /** For `/bin/sh -c`; null for the login shell. */
  readonly command: string | null;
  /** Null: output and errors stay apart. */
  readonly terminal: { readonly type: string; readonly size: TerminalSize } | null;
  readonly env: Readonly<Record<string, string>>;
}

interface PortTunnel {
  readonly kind: "port";
  /** Of the container's own loopback address. */
  readonly port: number;
}

export type TunnelKind = ExecTunnel | PortTunnel;

/** An sshd in the container, for one connection of a client. All three are texts in OpenSSH's formats. */
export interface SshTunnel {
  /** Private, of this connection alone. */
  readonly hostKey: string;
  readonly hostCertificate: string;
  /** The only key that opens it. */
  readonly clientKey: string;
}

export interface OutputPiece {
  readonly of: "stdout" | "stderr";
  readonly bytes: Buffer;
}

export interface TunnelStream {
  /** In the order in which it came. Whoever does not take the next piece makes the program wait. Throws a TunnelError. */
  readonly output: AsyncIterable<OutputPiece>;
  /** Exit code, once all output was taken; null where there is none to know, as of a port. Rejects with a TunnelError. */
  readonly exit: Promise<number | null>;
  /** Resolves when more may be written. What is written after the end goes nowhere. */
  write(bytes: Buffer): Promise<void>;
  endInput(): void;
  resize(size: TerminalSize): void;
  /** Name without SIG. */
  signal(name: string): void;
  /** Ends it from this side: the program is notified that nobody listens any more. */
  close(): void;
}

export interface Tunnels {
  /** Rejects with a TunnelError, or with the signal's reason. */
  open(assignmentId: string, kind: TunnelKind, signal: AbortSignal): Promise<TunnelStream>;
  /** The other end is an sshd, and this one nobody has read. Rejects likewise, also where no sshd can be started. */
  openSsh(assignmentId: string, ssh: SshTunnel, signal: AbortSignal): Promise<Duplex>;
}

/** Why there is no tunnel, or none any more: a sentence for the user. */
export class TunnelError extends Error {
  override readonly name = "TunnelError";
}

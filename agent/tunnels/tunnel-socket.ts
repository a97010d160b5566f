/** A connection to a coordinator that carries the bytes of one sshd and nothing else. */
import type { Socket } from "node:net";

export interface TunnelSocket {
  /** Nothing of what comes has been read. */
  readonly socket: Socket;
  /** Whether it carries them as they are, so that another program can have it. */
  readonly isPlain: boolean;
}

/** What users log into with OpenSSH: shells of ours, or a plain sshd of this machine. */
import type { SshPlace } from "@elastic/test/cluster/ssh-client.ts";

export interface Contender {
  readonly name: string;
  readonly version: string;
  readonly place: SshPlace;
  /** A folder of the user's with room for copies. */
  readonly home: string;
  /** Of every process that carries a user's bytes on the way. */
  carriers(): readonly number[];
}

/** What both sides encrypt with: the first that our gateway offers, and what an OpenSSH with fast AES would take too. */
export const CIPHER = "aes128-gcm@openssh.com";
/** Options of every client. */
export const OPTIONS = ["-o", `Ciphers=${CIPHER}`];

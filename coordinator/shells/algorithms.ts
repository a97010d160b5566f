/**
 * What the gateway agrees on with clients, the best first; every OpenSSH since 7.3 has one of each. Left out: group
 * exchange, whose cost the client chooses; SHA-1, CBC and MACs over plain text; and ChaCha20, which without native
 * code is several times slower than AES.
 */
import type { Algorithms } from "ssh2";

export const ALGORITHMS = {
  kex: ["curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256", "ecdh-sha2-nistp384"],
  serverHostKey: ["ssh-ed25519"],
  cipher: ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes256-ctr", "aes128-ctr"],
  hmac: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"],
  compress: ["none"],
} as const satisfies Record<keyof Algorithms, readonly string[]>;

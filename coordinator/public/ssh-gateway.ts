import type { PublicKeyText } from "../auth/authorized-key.ts";

/** Where clients reach the SSH gateway, and the key by which they know it. */
export interface SshGateway {
  readonly address: { readonly host: string; readonly port: number };
  readonly hostKey: Pick<PublicKeyText, "type" | "blob" | "fingerprint">;
}

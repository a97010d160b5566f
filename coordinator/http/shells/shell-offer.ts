/** What the installation offers of shells. */

import type { EgressRule } from "@elastic/std/net/egress-rule.ts";
import type { PublicKeyText } from "../../auth/authorized-key.ts";

export interface ShellOffer {
  /** What each name stands for, the default first. */
  readonly images: ReadonlyMap<string, string>;
  /** Where shells may connect that ask for it. */
  readonly egress: readonly EgressRule[];
  /** Null where there is none. */
  readonly gateway: SshGateway | null;
}

/** Where clients reach the SSH gateway, and the key by which they know it. */
export interface SshGateway {
  readonly address: { readonly host: string; readonly port: number };
  readonly hostKey: Pick<PublicKeyText, "type" | "blob" | "fingerprint">;
}

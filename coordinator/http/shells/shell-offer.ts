/** What the installation offers of shells. */

import type { EgressRule } from "@elastic/std/net/egress-rule.ts";
import type { SshGateway } from "../../public/ssh-gateway.ts";

export interface ShellDeps {
  readonly shells: ShellOffer;
}

export interface ShellOffer {
  /** What each name stands for, the default first. */
  readonly images: ReadonlyMap<string, string>;
  /** Where shells that request it may connect. */
  readonly egress: readonly EgressRule[];
  /** Null where there is none. */
  readonly gateway: SshGateway | null;
}

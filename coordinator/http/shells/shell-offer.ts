/** What the installation offers of shells. */
import type { EgressRule } from "../../domain/egress-rule.ts";

export interface ShellOffer {
  /** What each name stands for, the default first. */
  readonly images: ReadonlyMap<string, string>;
  /** Where shells may connect that ask for it. */
  readonly egress: readonly EgressRule[];
  /** Where clients reach the SSH gateway; null where there is none. */
  readonly address: () => { readonly host: string; readonly port: number } | null;
}

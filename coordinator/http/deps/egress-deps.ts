import type { Egress } from "../../egress/egress.ts";

/** Connections to URLs of users. */
export interface EgressDeps {
  readonly egress: Egress;
}

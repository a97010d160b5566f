/** Where a shell may connect: as its user requests, within what the installation allows. */
import { covers, egressRuleText, parseEgressRule } from "@elastic/std/net/egress-rule.ts";
import { invalidRequest } from "../problems/problem.ts";
import type { ShellOffer } from "./shell-offer.ts";

/** As it is stored. Refuses the request for a rule that is none, or is not covered. */
export function requestedEgress(
  { egress: allowed }: Pick<ShellOffer, "egress">,
  requested: readonly string[],
): string[] {
  return requested.map((text, at) => {
    const rule = parseEgressRule(text);
    if (rule === null)
      throw invalidRequest([{ pointer: `#/egress/${at}`, detail: "no host, host:port, *.domain or *" }]);
    if (allowed.some((wide) => covers(wide, rule))) return egressRuleText(rule);
    const within = allowed.map(egressRuleText).join(", ");
    const detail =
      within === "" ? "shells reach nothing in this installation" : `${egressRuleText(rule)} is not within ${within}`;
    throw invalidRequest([{ pointer: `#/egress/${at}`, detail }]);
  });
}

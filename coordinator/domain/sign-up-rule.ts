/** Who becomes a user by logging in for the first time, without an invitation. By default, nobody does. */
import type { Identity } from "./account.ts";

export type SignUpRule =
  /** Anybody, up to a number of new users a day. */
  | { readonly kind: "open"; readonly usersPerDayMax: number }
  /** An organisation of GitHub, or a group of another provider, as the provider names it. */
  | { readonly kind: "group"; readonly name: string }
  /** A domain for which the provider vouches. */
  | { readonly kind: "domain"; readonly name: string };

export const OPEN_USERS_PER_DAY_DEFAULT = 100;

/** The rule by which the account's user may be made; null where none holds. */
export function ruleFor(
  { domains }: Pick<Identity, "domains">,
  groups: readonly string[],
  rules: readonly SignUpRule[],
): SignUpRule | null {
  const holds = (rule: SignUpRule): boolean => {
    if (rule.kind === "group") return groups.includes(rule.name);
    return rule.kind === "open" || domains.includes(rule.name);
  };
  // One with a limit comes last.
  return rules.find((rule) => rule.kind !== "open" && holds(rule)) ?? rules.find(holds) ?? null;
}

/** What stands between a request and the endpoints, in memory: who may still enter, how often, and who was refused. */
import type { KeyUses } from "../../auth/key-uses.ts";
import type { LoginFailures } from "../../login/login-failures.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { FreshView } from "./fresh-view.ts";

export interface Admission {
  readonly freshView: FreshView;
  readonly rates: RateLimits;
  readonly uses: KeyUses;
  readonly failures: LoginFailures;
}

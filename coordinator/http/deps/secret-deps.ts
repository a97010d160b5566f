import type { Secrets } from "../../secrets/secrets.ts";

/** What seals, opens and signs. */
export interface SecretDeps {
  readonly secrets: Secrets;
}

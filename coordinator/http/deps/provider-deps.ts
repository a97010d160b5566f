import type { LoginProvider } from "../../login/login-provider.ts";

/** Where users may log in. */
export interface ProviderDeps {
  readonly providers: readonly LoginProvider[];
}

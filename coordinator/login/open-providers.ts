/** The login providers that the settings name. */
import type { Clock } from "@elastic/std/clock.ts";
import { readClientSecret } from "./client-secret.ts";
import { githubProvider } from "./github.ts";
import type { LoginProvider } from "./login-provider.ts";
import { oidcProvider } from "./oidc.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** Throws where the secret of one cannot be read. */
export function openProviders(
  settings: readonly ProviderSettings[],
  clock: Pick<Clock, "monotonicMs">,
): readonly LoginProvider[] {
  return settings.map((one) => {
    readClientSecret(one);
    return one.kind === "github" ? githubProvider(one) : oidcProvider(one, clock);
  });
}

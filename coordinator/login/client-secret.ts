/** The client secret of a provider, in its file: a new one needs no restart. */
import { readSecretFile } from "../secrets/secret-file.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** Throws a SecretFileError. */
export function readClientSecret({ name, clientSecretFile }: ProviderSettings): string {
  return readSecretFile(`the client secret of the login provider ${name}`, clientSecretFile);
}

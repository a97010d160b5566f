/** The client secret of a provider, in its file: a new one needs no restart. */
import { readFileSync } from "node:fs";
import type { ProviderSettings } from "./provider-settings.ts";

/** A setting is wrong: it names the provider and the file. */
export class ClientSecretError extends Error {
  override readonly name = "ClientSecretError";
}

/** Throws a ClientSecretError. */
export function readClientSecret({ name, clientSecretFile }: ProviderSettings): string {
  const secret = readFile(name, clientSecretFile).trim();
  if (secret === "")
    throw new ClientSecretError(`the client secret of the login provider ${name} is empty: ${clientSecretFile}`);
  return secret;
}

function readFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ClientSecretError(`the client secret of the login provider ${name} cannot be read: ${path}`, { cause });
  }
}

/** Whether the registries of the coordinators accept the tokens that the staged key would sign. */
import type { Clock } from "@elastic/std/clock.ts";
import { tokenIssuer } from "../registry/access-token.ts";
import { registryAuthorities } from "../registry/authority.ts";
import { readPresentKeys } from "../secrets/change-key-file.ts";
import { secretsOf } from "../secrets/secrets.ts";
import type { HeldKeys, Holders } from "../store/held-keys.ts";
import { RotationRefusal } from "./refusal.ts";

const TIMEOUT_MS = 10_000;
const REMEDY =
  "put the output of `elastic-coordinator registry-cert` into the registry's rootcertbundle, restart the registry, then " +
  "promote again (--skip-registry promotes all the same)";

interface Context {
  readonly keyFile: string;
  readonly clock: Clock;
}

/** Throws a RotationRefusal where one of them does not. */
export async function checkRegistries(context: Context, { known }: Holders, keyId: string): Promise<void> {
  const registries = new Map(known.flatMap(({ registry }) => (registry === null ? [] : [[registry.base, registry]])));
  for (const registry of registries.values()) await checkRegistry(context, registry, keyId);
}

async function checkRegistry(
  { keyFile, clock }: Context,
  { base, service, issuer }: NonNullable<HeldKeys["registry"]>,
  keyId: string,
): Promise<void> {
  const secrets = secretsOf(readPresentKeys(keyFile), keyFile);
  const authority = registryAuthorities(secrets)[secrets.keyIds().indexOf(keyId)];
  if (authority === undefined) throw new RotationRefusal(`key ${keyId} is not in ${keyFile}`);
  const { text } = tokenIssuer({ authority, issuer, service, clock })("operator", []);
  const headers = { authorization: `Bearer ${text}` };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${base}/v2/`, { headers, redirect: "error", signal }).catch((error: Error) => {
    const why = (error.cause as Error | undefined)?.message ?? error.message;
    throw new RotationRefusal(
      `the registry ${base} does not respond (${why}), so it is not known whether it accepts key ${keyId}: start it, or --skip-registry`,
    );
  });
  await response.body?.cancel();
  if (response.ok) return;
  throw new RotationRefusal(
    `the registry ${base} does not accept tokens of key ${keyId} (status ${response.status}): ${REMEDY}`,
  );
}

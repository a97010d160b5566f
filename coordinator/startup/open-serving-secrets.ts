/** The master keys of a process that serves: it does not start with keys by which the records of its store do not open. */
import type { Logger } from "@elastic/std/log.ts";
import type { Config } from "../config/config.ts";
import { LiveSecrets } from "../secrets/live-secrets.ts";
import { readKeyRotation, whyKeysDoNotServe } from "../store/key-rotation.ts";
import type { Kv } from "../store/kv.ts";

interface ServingSecretsOptions {
  readonly config: Pick<Config, "secretsKeyFile">;
  readonly kv: Pick<Kv, "read">;
  readonly log: Logger;
}

/** The message is for the operator: which file, and what to do. */
export class KeysDoNotServeError extends Error {
  override readonly name = "KeysDoNotServeError";
}

/** `starting` ends it. */
export async function openServingSecrets(
  { config, kv, log }: ServingSecretsOptions,
  starting: AsyncDisposableStack,
): Promise<LiveSecrets> {
  const { secretsKeyFile: keyFile } = config;
  const secrets = new LiveSecrets({ keyFile, log });
  starting.defer(() => secrets.stop());
  await refuseOutdatedKeys({ config, kv, secrets });
  return secrets;
}

/**
 * Done once more when its keys are published: a promotion that begins meanwhile sees this process, or this process sees the
 * promotion.
 */
export async function refuseOutdatedKeys({
  config,
  kv,
  secrets,
}: Pick<ServingSecretsOptions, "config" | "kv"> & { readonly secrets: LiveSecrets }): Promise<void> {
  const { rotation } = await readKeyRotation(kv);
  if (whyKeysDoNotServe(rotation, secrets.keyIds()) === null) return;
  // The file may have changed since it was read, with the rotation.
  secrets.check();
  const why = whyKeysDoNotServe(rotation, secrets.keyIds());
  if (why !== null) throw new KeysDoNotServeError(`ELASTIC_SECRETS_KEY_FILE: ${config.secretsKeyFile} ${why}`);
}

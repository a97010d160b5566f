/** The settings of a coordinator that has the stand-in as a source host. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { APP, APP_CLIENT, appKeys } from "./github-app.ts";

export interface AppFiles {
  readonly privateKeyFile: string;
  readonly clientSecretFile: string;
  readonly webhookSecretFile: string;
}

export function writeAppFiles(folder: string): AppFiles {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `${text}\n`, { mode: 0o600 });
    return path;
  };
  return {
    privateKeyFile: write("github-app.pem", appKeys().privateKey),
    clientSecretFile: write("github-app.secret", APP_CLIENT.secret),
    webhookSecretFile: write("github-app.webhook", APP.webhookSecret),
  };
}

/** Variables of the environment. */
export function appSettings(name: string, url: string, files: AppFiles): Readonly<Record<string, string>> {
  const prefix = `ELASTIC_SOURCE_${name.toUpperCase().replaceAll("-", "_")}_`;
  return {
    ELASTIC_SOURCE_HOSTS: name,
    [`${prefix}URL`]: url,
    [`${prefix}APP_ID`]: APP.id,
    [`${prefix}APP_SLUG`]: APP.slug,
    [`${prefix}PRIVATE_KEY_FILE`]: files.privateKeyFile,
    [`${prefix}CLIENT_ID`]: APP_CLIENT.id,
    [`${prefix}CLIENT_SECRET_FILE`]: files.clientSecretFile,
    [`${prefix}WEBHOOK_SECRET_FILE`]: files.webhookSecretFile,
  };
}

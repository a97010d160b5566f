/** The source hosts that the settings name. */
import type { Clock } from "@elastic/std/clock.ts";
import { readSecretFile } from "../secrets/secret-file.ts";
import { appJwt } from "./github/app-jwt.ts";
import { githubSourceHost } from "./github/github-source-host.ts";
import type { SourceHost } from "./source-host.ts";
import type { SourceSettings } from "./source-settings.ts";

/** Throws where a file of one cannot be read, or holds no private key. */
export function openSourceHosts(settings: readonly SourceSettings[], clock: Pick<Clock, "now">): readonly SourceHost[] {
  return settings.map((one) => {
    const of = `of the source host ${one.name}`;
    readSecretFile(`the client secret ${of}`, one.clientSecretFile);
    readSecretFile(`the webhook secret ${of}`, one.webhookSecretFile);
    const privateKey = readSecretFile(`the private key ${of}`, one.privateKeyFile);
    try {
      appJwt(one.appId, privateKey, clock.now());
    } catch (cause) {
      throw new Error(`the private key ${of} is no RSA key in PEM: ${one.privateKeyFile}`, { cause });
    }
    return githubSourceHost(one, clock);
  });
}

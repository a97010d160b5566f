/** The source hosts that the settings name. */
import type { Clock } from "@elastic/std/clock.ts";
import { readSecretFile } from "../secrets/secret-file.ts";
import { appJwt } from "../source-hosts/github/app-jwt.ts";
import { githubSourceHost } from "../source-hosts/github/github-source-host.ts";
import { gitlabSourceHost } from "../source-hosts/gitlab/gitlab-source-host.ts";
import type { SourceHost } from "../source-hosts/source-host.ts";
import type { GithubSettings, SourceSettings } from "../source-hosts/source-settings.ts";

/** Throws where a file of one cannot be read, or holds no private key. */
export function openSourceHosts(settings: readonly SourceSettings[], clock: Pick<Clock, "now">): readonly SourceHost[] {
  return settings.map((one) => {
    readSecretFile(`the client secret of the source host ${one.name}`, one.clientSecretFile);
    readSecretFile(`the webhook secret of the source host ${one.name}`, one.webhookSecretFile);
    if (one.kind === "gitlab") return gitlabSourceHost(one, clock);
    requirePrivateKey(one, clock);
    return githubSourceHost(one, clock);
  });
}

function requirePrivateKey({ name, appId, privateKeyFile }: GithubSettings, clock: Pick<Clock, "now">): void {
  const what = `the private key of the source host ${name}`;
  const privateKey = readSecretFile(what, privateKeyFile);
  try {
    appJwt(appId, privateKey, clock.now());
  } catch (cause) {
    throw new Error(`${what} is no RSA key in PEM: ${privateKeyFile}`, { cause });
  }
}

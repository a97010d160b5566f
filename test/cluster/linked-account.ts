/** A team's account at the stand-in for GitHub, connected as a user does it in a browser. */
import { CookieBrowser, locationOf } from "@elastic/coordinator/http/testing/cookie-browser.ts";
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import { install } from "../github/app-pages.ts";
import type { MemoryRepository } from "../github/memory-repository.ts";
import type { GithubHost } from "../login/github-host.ts";
import type { Cluster } from "./cluster.ts";
import { programPath } from "./machine.ts";

/** The coordinator's addresses, as they are registered at GitHub. */
export function registerAddresses({ coordinators }: Cluster, { app }: GithubHost): void {
  const url = coordinators[0]?.url ?? "";
  app.callbackUrl = `${url}/v1/source-hosts/github/callback`;
  app.webhookUrl = `${url}/v1/source-hosts/github/webhook`;
}

/** Installs the app with those repositories: the id of the connection of the first user's team. */
export async function connectAccount(
  cluster: Cluster,
  github: GithubHost,
  repositories: readonly MemoryRepository[],
): Promise<string> {
  const url = cluster.coordinators[0]?.url ?? "";
  const link = await loginLink({ etcd: [cluster.etcd.endpoint], path: programPath() }, { user: "tester", url });
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get("token");
  const browser = new CookieBrowser(url);
  await browser.open("/v1/sessions", { body: { login_token: token } });
  const begun = await browser.open("/v1/source-hosts/github/connections", { body: {} });
  const { redirect_url: address } = JSON.parse(begun.text) as { readonly redirect_url: string };
  const state = new URL(address).searchParams.get("state") ?? "";
  const back = install(
    github,
    repositories.map(({ id }) => id),
    state,
  );
  const ended = new URL(locationOf(await browser.open(back.href, { site: "cross-site" })));
  const id = ended.searchParams.get("connection_id");
  if (id === null) throw new Error(ended.href);
  return id;
}

/** The page on which a user installs the app, chooses its repositories and so authorizes it. */
import type { ServerResponse } from "node:http";
import type { GithubHost } from "../login/github-host.ts";
import type { HostRequest } from "../login/http-host.ts";
import { APP, type Installation } from "./github-app.ts";

const PATH = `/github-apps/${APP.slug}/installations/new`;

export function serveAppPage(github: GithubHost, { method, url, form }: HostRequest, response: ServerResponse): void {
  if (url.pathname !== PATH) return void response.writeHead(404).end();
  if (method === "GET") return void response.writeHead(200, { "content-type": "text/html" }).end(pageOf(github, url));
  const ids = form.getAll("repository").map(Number);
  const back = install(github, ids, url.searchParams.get("state") ?? "");
  response.writeHead(302, { location: back.href }).end();
}

/** As the user who is logged in there: where the browser returns to. */
export function install({ app, user }: GithubHost, repositoryIds: readonly number[], state: string): URL {
  const account: Installation["account"] = { id: user.id, login: user.login, type: "User" };
  const isKnown = [...app.installations.values()].some((one) => one.account.id === user.id);
  const { id } = app.install(account, repositoryIds);
  const back = app.grants.grantUnrequested(app.callbackUrl, state, user);
  back.searchParams.set("installation_id", String(id));
  back.searchParams.set("setup_action", isKnown ? "update" : "install");
  return back;
}

function pageOf({ app, user }: GithubHost, { search }: URL): string {
  const own = [...app.repositories.values()].filter(({ owner }) => owner === user.login);
  const boxes = own.map(
    ({ id, name }) => `<label><input type="checkbox" name="repository" value="${id}" checked>${name}</label>`,
  );
  const form = `<form method="post" action="${PATH}${search.replaceAll("&", "&amp;")}">${boxes.join("")}<button>Install</button></form>`;
  return `<!doctype html><title>GitHub</title><h1>Install ${APP.slug}</h1>${form}`;
}

/**
 * A stand-in for GitHub: the web flows of its OAuth applications and apps, and of its API what logins and source hosts use.
 * What it receives and returns there is checked against GitHub's own description (github-openapi.json).
 */
import { randomBytes } from "node:crypto";
import { serveAppPage } from "../github/app-pages.ts";
import { APP_CLIENT, GithubApp } from "../github/github-app.ts";
import { serveApi } from "../github/rest-api.ts";
import { CLIENT, CodeGrants } from "./code-grants.ts";
import { type Handler, type HttpHost, sendJson, startHttpHost } from "./http-host.ts";

export interface GithubUser {
  readonly id: number;
  readonly login: string;
  readonly organisations: readonly string[];
}

export interface GithubHost extends HttpHost {
  /** Who is logged in there, in whatever browser. */
  user: GithubUser;
  /** Tokens of users, by their text. */
  readonly userTokens: Map<string, GithubUser>;
  /** The GitHub App of the service. */
  readonly app: GithubApp;
}

export async function startGithubHost(user: GithubUser): Promise<GithubHost> {
  const grants = new CodeGrants<GithubUser>();
  const userTokens = new Map<string, GithubUser>();
  const app = new GithubApp();
  const others: Handler = async (request, response) => {
    if (request.url.pathname.startsWith("/github-apps/")) return serveAppPage(github, request, response);
    return serveApi(github, request, response);
  };
  const host = await startHttpHost(
    {
      "/login/oauth/authorize": ({ url }, response) => {
        const isApp = url.searchParams.get("client_id") === APP_CLIENT.id;
        const back = (isApp ? app.grants : grants).grant(url.searchParams, github.user);
        const page = `<!doctype html><title>GitHub</title><a href="${back.href.replaceAll("&", "&amp;")}">Authorize</a>`;
        response.writeHead(200, { "content-type": "text/html" }).end(page);
      },
      "/login/oauth/access_token": (request, response) => redeem(request, response),
    },
    others,
  );
  const redeem: Handler = ({ form, headers }, response) => {
    if (!headers.accept?.includes("application/json"))
      throw new Error("GitHub responds with a form unless JSON is requested");
    const isApp = form.get("client_id") === APP_CLIENT.id;
    const { id, secret } = isApp ? APP_CLIENT : CLIENT;
    const isClient = form.get("client_id") === id && form.get("client_secret") === secret;
    const redeemed = isClient ? (isApp ? app.grants : grants).redeem(form) : null;
    // With 200 too.
    if (redeemed === null) return sendJson(response, 200, { error: "bad_verification_code" });
    const token = `${isApp ? "ghu" : "gho"}_${randomBytes(16).toString("hex")}`;
    userTokens.set(token, redeemed);
    const expiry = isApp ? { expires_in: 28_800 } : {};
    sendJson(response, 200, { access_token: token, token_type: "bearer", scope: "", ...expiry });
  };
  const github: GithubHost = Object.assign(host, { user, userTokens, app });
  return github;
}

/** Follows the link that the user clicks there; returns where it leads back to. */
export async function authorizeAtGithub(address: string): Promise<string> {
  const page = await (await fetch(address)).text();
  const [, back] = /<a href="([^"]+)">Authorize/.exec(page) ?? [];
  if (back === undefined) throw new Error(page);
  return back.replaceAll("&amp;", "&");
}

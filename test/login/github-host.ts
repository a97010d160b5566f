/**
 * A stand-in for GitHub: the web flow of its OAuth applications, and of its API what a login reads. What it answers there is
 * checked against GitHub's own description (github-openapi.json).
 */
import { randomBytes } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import { CLIENT, CodeGrants } from "./code-grants.ts";
import description from "./github-openapi.json" with { type: "json" };
import { githubOrganisation, githubUser } from "./github-records.ts";
import { type Handler, type HttpHost, sendJson, startHttpHost } from "./http-host.ts";

export interface GithubUser {
  readonly id: number;
  readonly login: string;
  readonly organisations: readonly string[];
}

export interface GithubHost extends HttpHost {
  /** Who is logged in there, in whatever browser. */
  user: GithubUser;
}

type ApiPath = keyof typeof description.paths;

export async function startGithubHost(user: GithubUser): Promise<GithubHost> {
  const grants = new CodeGrants<GithubUser>();
  const tokens = new Map<string, GithubUser>();
  const validate = responseValidators();
  const api = (path: ApiPath, bodyOf: (user: GithubUser, query: URLSearchParams) => object): Handler => {
    return ({ url, headers }, response) => {
      const user = tokens.get(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "");
      const isAsked = headers["user-agent"] !== undefined && headers["x-github-api-version"] === "2022-11-28";
      if (!isAsked) throw new Error("GitHub wants a user agent and a version of its API");
      const body = user === undefined ? { message: "Requires authentication" } : bodyOf(user, url.searchParams);
      validate(user === undefined ? null : path, body);
      sendJson(response, user === undefined ? 401 : 200, body);
    };
  };
  const host = await startHttpHost({
    "/login/oauth/authorize": ({ url }, response) => {
      const back = grants.grant(url.searchParams, github.user);
      const page = `<!doctype html><title>GitHub</title><a href="${back.href.replaceAll("&", "&amp;")}">Authorize</a>`;
      response.writeHead(200, { "content-type": "text/html" }).end(page);
    },
    "/login/oauth/access_token": ({ form, headers }, response) => {
      if (!headers.accept?.includes("application/json")) throw new Error("GitHub answers a form unless asked for JSON");
      const isClient = form.get("client_id") === CLIENT.id && form.get("client_secret") === CLIENT.secret;
      const user = isClient ? grants.redeem(form) : null;
      // With 200 too.
      if (user === null) return sendJson(response, 200, { error: "bad_verification_code" });
      const token = `gho_${randomBytes(16).toString("hex")}`;
      tokens.set(token, user);
      sendJson(response, 200, { access_token: token, token_type: "bearer", scope: "" });
    },
    "/api/v3/user": api("/user", githubUser),
    "/api/v3/user/orgs": api("/user/orgs", ({ organisations }, query) => {
      const [size, page] = [Number(query.get("per_page") ?? 30), Number(query.get("page") ?? 1)];
      return organisations.slice((page - 1) * size, page * size).map(githubOrganisation);
    }),
  });
  const github: GithubHost = Object.assign(host, { user });
  return github;
}

/** Follows the link that the user clicks there; answers where it leads back to. */
export async function authorizeAtGithub(address: string): Promise<string> {
  const page = await (await fetch(address)).text();
  const [, back] = /<a href="([^"]+)">Authorize/.exec(page) ?? [];
  if (back === undefined) throw new Error(page);
  return back.replaceAll("&amp;", "&");
}

/** Throws where GitHub would not answer so; `path` is null for an error. */
function responseValidators(): (path: ApiPath | null, body: unknown) => void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return (path, body) => {
    const schema = path === null ? { $ref: "#/components/schemas/basic-error" } : description.paths[path];
    const isValid = ajv.validate({ ...schema, components: description.components }, body);
    if (!isValid) throw new Error(`GitHub does not answer so: ${ajv.errorsText()}`);
  };
}

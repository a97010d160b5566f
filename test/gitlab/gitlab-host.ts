/**
 * A stand-in for GitLab: the authorization of its OAuth applications, and of its API what source hosts use. What it receives and
 * sends there is checked against what GitLab documents (described.ts).
 */
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { archiveOf } from "../github/memory-repository.ts";
import { CodeGrants } from "../login/code-grants.ts";
import { type Handler, type HostRequest, type HttpHost, sendJson, startHttpHost } from "../login/http-host.ts";
import { checkRequest, describedResponse, OPERATIONS, type OperationName } from "./described.ts";
import { GITLAB_CLIENT, GitlabServer, type GitlabUser } from "./gitlab-server.ts";
import { type ApiCall, commitOf, GITLAB_OPERATIONS, Refusal, readable } from "./operations.ts";

const BASE = "/api/v4";
const ARCHIVE: OperationName = "GET /projects/{id}/repository/archive.tar.gz";

export interface GitlabHost extends HttpHost {
  /** Who is logged in there, in whatever browser. */
  user: GitlabUser;
  /** Tokens of users, by their text. */
  readonly userTokens: Map<string, GitlabUser>;
  /** Refresh tokens, which nobody requests. */
  readonly refreshTokens: Set<string>;
  readonly server: GitlabServer;
}

export async function startGitlabHost(user: GitlabUser): Promise<GitlabHost> {
  const grants = new CodeGrants<GitlabUser>(GITLAB_CLIENT);
  const authorize: Handler = ({ url: { searchParams } }, response) => {
    if (searchParams.get("scope") !== "api") throw new Error("the scope is not that of the application");
    response.writeHead(302, { location: grants.grant(searchParams, gitlab.user).href }).end();
  };
  const redeem: Handler = ({ form }, response) => {
    if (form.get("grant_type") !== "authorization_code") throw new Error("GitLab wants the type of the grant");
    if (form.get("client_id") !== GITLAB_CLIENT.id || form.get("client_secret") !== GITLAB_CLIENT.secret) {
      return sendJson(response, 401, { error: "invalid_client", error_description: "Client authentication failed" });
    }
    const redeemed = grants.redeem(form);
    if (redeemed === null) return sendJson(response, 400, { error: "invalid_grant", error_description: "expired" });
    const [token, refresh] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
    gitlab.userTokens.set(token, redeemed);
    gitlab.refreshTokens.add(refresh);
    const times = { expires_in: 7_200, created_at: Math.floor(Date.now() / 1000) };
    sendJson(response, 200, {
      access_token: token,
      token_type: "Bearer",
      refresh_token: refresh,
      scope: "api",
      ...times,
    });
  };
  const host = await startHttpHost({ "/oauth/authorize": authorize, "/oauth/token": redeem }, (request, response) =>
    serveApi(gitlab, request, response),
  );
  const known = { userTokens: new Map<string, GitlabUser>(), refreshTokens: new Set<string>() };
  const gitlab: GitlabHost = Object.assign(host, { user, server: new GitlabServer(), ...known });
  return gitlab;
}

/** Where GitLab sends a browser in which the user has authorized the application. */
export async function authorizeAtGitlab(address: string): Promise<string> {
  const response = await fetch(address, { redirect: "manual" });
  const back = response.headers.get("location");
  if (back === null) throw new Error(await response.text());
  return back;
}

function serveApi(gitlab: GitlabHost, { method, url, headers, body }: HostRequest, response: ServerResponse): void {
  try {
    const found = url.pathname.startsWith(BASE) ? find(method, url.pathname.slice(BASE.length)) : null;
    if (found === null) throw new Refusal(404, { error: "404 Not Found" });
    const { name, parameters } = found;
    const parsed = body.length === 0 ? {} : JSON.parse(body.toString());
    checkRequest(name, parsed);
    const caller = callerOf(gitlab, name, headers.authorization ?? "");
    const call: ApiCall = { ...caller, parameters, query: url.searchParams, body: parsed };
    if (name === ARCHIVE) return void sendArchive(gitlab, call, response);
    const operation = GITLAB_OPERATIONS[name];
    if (operation === undefined) throw new Error(`${name} has no stand-in`);
    const record = operation(gitlab.server, call);
    const { status } = OPERATIONS[name];
    if (status === 204) return void response.writeHead(status).end();
    sendJson(response, status, describedResponse(name, record));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    sendJson(response, error.status, error.body);
  }
}

function callerOf({ server, userTokens }: GitlabHost, name: OperationName, authorization: string) {
  const text = /^Bearer (.+)$/.exec(authorization)?.[1] ?? "";
  const user = userTokens.get(text) ?? null;
  const token = server.tokens.get(text) ?? null;
  if (token?.isRevoked && name.endsWith("/rotate")) server.revokeFamily(token);
  if (user === null && (token === null || token.isRevoked)) {
    throw new Refusal(401, { error: "invalid_token", error_description: "Token was revoked." });
  }
  return { user, token };
}

function sendArchive({ server }: GitlabHost, call: ApiCall, response: ServerResponse): void {
  const project = readable(server, call);
  const commit = commitOf(project, call.query.get("sha") ?? "");
  response.writeHead(200, { "content-type": "application/octet-stream" });
  pipeline(archiveOf(project, commit), response, () => undefined);
}

function find(method: string, path: string) {
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    const [of, template = ""] = name.split(" ");
    const pattern = template.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const match = of === method ? new RegExp(`^${pattern}$`).exec(path) : null;
    if (match === null) continue;
    const entries = Object.entries(match.groups ?? {});
    return { name, parameters: Object.fromEntries(entries.map(([key, text]) => [key, decodeURIComponent(text)])) };
  }
  return null;
}

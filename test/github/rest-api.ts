/** GitHub's REST API below `/api/v3`, as GitHub Enterprise has it, and the archives that it leads to. */
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import type { GithubHost, GithubUser } from "../login/github-host.ts";
import { type HostRequest, sendJson } from "../login/http-host.ts";
import { APP_OPERATIONS, type ApiCall, type ApiCaller, archiveFor, Refusal } from "./app-operations.ts";
import { checkError, checkRequest, describedResponse, OPERATION_NAMES, type OperationName } from "./described.ts";
import { archiveOf, type Commit, type MemoryRepository } from "./memory-repository.ts";

const BASE = "/api/v3";
const ARCHIVES = "/_codeload/";

/** By the token in their address. */
const archives = new Map<string, { readonly repository: MemoryRepository; readonly commit: Commit }>();

export function serveApi(github: GithubHost, request: HostRequest, response: ServerResponse): void {
  const { pathname } = request.url;
  if (pathname.startsWith(ARCHIVES)) {
    sendArchive(request, response);
    return;
  }
  try {
    const found = pathname.startsWith(BASE) ? find(request.method, pathname.slice(BASE.length)) : null;
    if (found === null) throw new Refusal(404, "Not Found");
    const { status, body, location } = handle(github, request, found);
    if (location === undefined) sendJson(response, status, body);
    else response.writeHead(status, { location }).end();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    sendError(response, error.status, error.message);
  }
}

interface Found {
  readonly name: OperationName;
  readonly parameters: Readonly<Record<string, string>>;
}

function handle(github: GithubHost, request: HostRequest, { name, parameters }: Found) {
  const { headers, url, body: bytes } = request;
  const isValid = headers["user-agent"] !== undefined && headers["x-github-api-version"] === "2022-11-28";
  if (!isValid) throw new Error("GitHub requires a user agent and a version of its API");
  const body = bytes.length === 0 ? {} : JSON.parse(bytes.toString());
  const caller = callerOf(github, headers.authorization ?? "");
  if (request.method !== "GET") checkRequest(name, body);
  const call: ApiCall = { ...caller, parameters, query: url.searchParams, body, hostUrl: github.url };
  if (name === "GET /repos/{owner}/{repo}/tarball/{ref}")
    return { status: 302, body: null, location: leadToArchive(github, call) };
  return { ...describedResponse(name, recordOf(github, name, call)), location: undefined };
}

function recordOf({ app }: GithubHost, name: OperationName, call: ApiCall): unknown {
  if (name === "GET /user") return userRecord(loggedIn(call));
  if (name === "GET /user/orgs") {
    const [size, page] = [Number(call.query.get("per_page") ?? 30), Number(call.query.get("page") ?? 1)];
    return loggedIn(call)
      .organisations.slice((page - 1) * size, page * size)
      .map((login) => ({ login, id: 1 }));
  }
  const operation = APP_OPERATIONS[name];
  if (operation === undefined) throw new Error(`${name} has no stand-in`);
  return operation(app, call);
}

function userRecord({ id, login }: GithubUser): object {
  return { id, login, type: "User", user_view_type: "public" };
}

function loggedIn({ user }: ApiCaller): GithubUser {
  if (user === null) throw new Refusal(403, "Resource not accessible by integration");
  return user;
}

function callerOf({ app, userTokens }: GithubHost, authorization: string): ApiCaller {
  const token = /^Bearer (.+)$/.exec(authorization)?.[1] ?? "";
  const user = userTokens.get(token) ?? null;
  const known = app.tokens.get(token);
  const installation = known !== undefined && known.expiresAt > Date.now() ? known : null;
  const isApp = token.startsWith("ey") && app.isAppToken(token);
  if (user === null && installation === null && !isApp) throw new Refusal(401, "Bad credentials");
  if (installation?.installation.isSuspended) throw new Refusal(403, "This installation has been suspended");
  return { user, installation, isApp };
}

function leadToArchive({ app, url }: GithubHost, call: ApiCall): string {
  const token = randomBytes(12).toString("hex");
  archives.set(token, archiveFor(app, call));
  return `${url}${ARCHIVES}${call.parameters.owner}/${call.parameters.repo}/legacy.tar.gz?token=${token}`;
}

function sendArchive({ url, headers }: HostRequest, response: ServerResponse): void {
  if (headers.authorization !== undefined) throw new Error("an archive's address has its own token");
  const archive = archives.get(url.searchParams.get("token") ?? "");
  if (archive === undefined) return void response.writeHead(404).end();
  response.writeHead(200, { "content-type": "application/x-gzip" });
  pipeline(archiveOf(archive.repository, archive.commit), response, () => undefined);
}

function find(method: string, path: string): Found | null {
  for (const name of OPERATION_NAMES) {
    const [of, template = ""] = name.split(" ");
    const parameters = of === method ? matched(template, path) : null;
    if (parameters !== null) return { name, parameters };
  }
  return null;
}

/** The last parameter may have slashes: it is a ref, or a comparison of two. */
function matched(template: string, path: string): Readonly<Record<string, string>> | null {
  const pattern = template.replace(/\{(ref|basehead)\}$/, "(?<$1>.+)").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const { groups } = new RegExp(`^${pattern}$`).exec(path) ?? {};
  const isMatched = groups !== undefined || template === path;
  return isMatched
    ? Object.fromEntries(Object.entries(groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text ?? "")]))
    : null;
}

function sendError(response: ServerResponse, status: number, message: string): void {
  const body = { message, documentation_url: "https://docs.github.com/rest" };
  checkError(body);
  sendJson(response, status, body);
}

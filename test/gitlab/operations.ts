/** The operations of GitLab's REST API that the service uses, over the projects in memory. */
import type { Commit, MemoryRepository, RepositoryFile } from "../github/memory-repository.ts";
import { describedCommit, type OperationName } from "./described.ts";
import {
  DEVELOPER,
  type GitlabServer,
  type GitlabUser,
  MAINTAINER,
  mergeBaseOf,
  type ProjectToken,
  REPORTER,
} from "./gitlab-server.ts";

export class Refusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}

/** Exactly one of them is who calls. */
export interface ApiCall {
  readonly user: GitlabUser | null;
  readonly token: ProjectToken | null;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

type Operation = (server: GitlabServer, call: ApiCall) => object;

interface Action {
  readonly action: "create" | "chmod";
  readonly file_path: string;
  readonly content?: string;
  readonly execute_filemode?: boolean;
}

/** Records are filled up to what GitLab documents. */
export const GITLAB_OPERATIONS: Partial<Readonly<Record<OperationName, Operation>>> = {
  "GET /user": (_server, call) => {
    const { id, login } = userOf(call);
    return { id, username: login, name: login, state: "active" };
  },
  "GET /projects": (server, call) => {
    const [user, least] = [userOf(call), Number(call.query.get("min_access_level"))];
    const [size, page] = [Number(call.query.get("per_page") ?? 20), Number(call.query.get("page") ?? 1)];
    const all = [...server.projects.values()].filter(({ id }) => server.levelOf(user, id) >= least).reverse();
    return all.slice((page - 1) * size, page * size).map(projectRecord);
  },
  "POST /projects": (server, call) => {
    const user = userOf(call);
    const { path, visibility } = call.body as { path: string; visibility: string };
    if (server.find(user.login, path) !== null) {
      const taken = ["has already been taken"];
      throw new Refusal(400, { message: { project_namespace: taken, name: taken, path: taken } });
    }
    const given = { owner: user.login, name: path, isPrivate: visibility === "private" };
    return projectRecord(server.addProject(given, undefined, user.login));
  },
  "GET /projects/{id}": (server, call) => projectRecord(readable(server, call)),
  "GET /projects/{id}/hooks": (server, call) => {
    const { id } = maintained(server, call);
    return server.hooks.filter(({ projectId }) => projectId === id).map(hookRecord);
  },
  "POST /projects/{id}/hooks": (server, call) => {
    const hook = hookOf(server, call, server.nextId());
    server.hooks.push(hook);
    return hookRecord(hook);
  },
  "PUT /projects/{id}/hooks/{hook_id}": (server, call) => {
    const index = server.hooks.findIndex(({ id }) => id === Number(call.parameters.hook_id));
    if (index < 0) throw new Refusal(404, { message: "404 Not found" });
    const hook = hookOf(server, call, Number(call.parameters.hook_id));
    server.hooks.splice(index, 1, hook);
    return hookRecord(hook);
  },
  "POST /projects/{id}/access_tokens": (server, call) => {
    const project = maintained(server, call);
    if (!server.hasProjectTokens) {
      throw new Refusal(400, {
        message: "400 Bad request - User does not have permission to create project access token",
      });
    }
    const body = call.body as { scopes: string[]; access_level: number; expires_at: string };
    const of = { projectId: project.id, scopes: body.scopes, accessLevel: body.access_level };
    return tokenRecord(server, server.makeToken({ ...of, expiresAt: body.expires_at }));
  },
  "POST /projects/{id}/access_tokens/self/rotate": (server, { token, parameters, body }) => {
    if (token === null || !hasScope(token, ["api", "self_rotate"]))
      throw new Refusal(403, { message: "403 Forbidden" });
    if (token.projectId !== Number(parameters.id)) throw new Refusal(401, { message: "401 Unauthorized" });
    token.isRevoked = true;
    const { projectId, scopes, accessLevel } = token;
    const expiresAt = String(body.expires_at);
    return tokenRecord(server, server.makeToken({ projectId, scopes, accessLevel, expiresAt }, token.family));
  },
  "DELETE /personal_access_tokens/self": (_server, { token }) => {
    if (token === null) throw new Refusal(400, { message: "400 Bad request" });
    token.isRevoked = true;
    return {};
  },
  "GET /projects/{id}/repository/branches/{branch}": (server, call) => {
    const name = call.parameters.branch ?? "";
    return { name, commit: describedCommit(commitRecord(commitOf(readable(server, call), `heads/${name}`))) };
  },
  "GET /projects/{id}/repository/tags/{tag_name}": (server, call) => {
    const name = call.parameters.tag_name ?? "";
    const commit = commitOf(readable(server, call), `tags/${name}`);
    return { name, target: commit.sha, commit: describedCommit(commitRecord(commit)) };
  },
  "GET /projects/{id}/repository/commits/{sha}": (server, call) =>
    commitRecord(commitOf(readable(server, call), call.parameters.sha ?? "")),
  "GET /projects/{id}/repository/merge_base": (server, call) => {
    const project = readable(server, call);
    const [one, other] = call.query.getAll("refs[]").map((ref) => project.find(ref));
    if (!one || !other) throw new Refusal(400, { message: "Could not find ref" });
    const base = mergeBaseOf(project, one, other);
    if (base === null) throw new Refusal(404, { message: "404 Merge Base Not Found" });
    return commitRecord(base);
  },
  "POST /projects/{id}/repository/commits": (server, call) => {
    const project = readable(server, call);
    if (server.levelOf(userOf(call), project.id) < DEVELOPER) throw new Refusal(403, { message: "403 Forbidden" });
    const { branch, commit_message, actions } = call.body as {
      branch: string;
      commit_message: string;
      actions: Action[];
    };
    return commitRecord(project.commit(branch, filesAfter(actions), commit_message));
  },
  "POST /projects/{id}/statuses/{sha}": (server, call) => {
    const project = readable(server, call);
    const { sha } = commitOf(project, call.parameters.sha ?? "");
    if (call.token !== null && (!hasScope(call.token, ["api"]) || call.token.accessLevel < DEVELOPER)) {
      throw new Refusal(403, { message: "403 Forbidden" });
    }
    const { state, name, target_url } = call.body as { state: string; name: string; target_url: string };
    const last = project.statuses.findLast((status) => status.sha === sha && status.context === name);
    if (last?.state === state) {
      throw new Refusal(400, { message: `Cannot transition status via :enqueue from :${state}` });
    }
    project.statuses.push({ sha, state, context: name, target_url });
    return { sha, status: state, name, target_url };
  },
};

/** Throws as GitLab does: what the caller may not read is not there. */
export function readable(server: GitlabServer, { user, token, parameters }: ApiCall): MemoryRepository {
  const project = server.projects.get(Number(parameters.id));
  const level = token?.projectId === project?.id ? (token?.accessLevel ?? 0) : 0;
  const isReadable = project !== undefined && (user === null ? level : server.levelOf(user, project.id)) >= REPORTER;
  if (!isReadable && (project === undefined || project.isPrivate)) {
    throw new Refusal(404, { message: "404 Project Not Found" });
  }
  if (project === undefined) throw new Refusal(404, { message: "404 Project Not Found" });
  if (token !== null && !hasScope(token, ["api", "read_api"])) {
    throw new Refusal(403, { error: "insufficient_scope", scope: "api read_api" });
  }
  return project;
}

export function commitOf(project: MemoryRepository, ref: string): Commit {
  const commit = project.find(ref);
  if (commit === null) throw new Refusal(404, { message: "404 Commit Not Found" });
  return commit;
}

function maintained(server: GitlabServer, call: ApiCall): MemoryRepository {
  const project = readable(server, call);
  if (server.levelOf(userOf(call), project.id) < MAINTAINER) throw new Refusal(403, { message: "403 Forbidden" });
  return project;
}

function userOf({ user }: ApiCall): GitlabUser {
  if (user === null) throw new Refusal(403, { message: "403 Forbidden" });
  return user;
}

function hasScope({ scopes }: ProjectToken, any: readonly string[]): boolean {
  return scopes.some((scope) => any.includes(scope));
}

function hookOf(server: GitlabServer, call: ApiCall, id: number) {
  const project = maintained(server, call);
  if (!server.acceptsHooks) throw new Refusal(422, { error: "Invalid url given" });
  const { url, token } = call.body as { url: string; token: string };
  return { id, projectId: project.id, url, token };
}

/** Its token is never sent. */
function hookRecord({ id, url, projectId }: { readonly id: number; readonly url: string; readonly projectId: number }) {
  return { id, url, project_id: projectId, push_events: true, enable_ssl_verification: true };
}

function tokenRecord(server: GitlabServer, token: string): object {
  const made = server.tokens.get(token);
  const { id, scopes, accessLevel, expiresAt } = made as ProjectToken;
  return { id, token, scopes, access_level: accessLevel, expires_at: expiresAt, active: true };
}

function projectRecord({ id, name, fullName, isPrivate, isFork, defaultBranch, branches }: MemoryRepository): object {
  return {
    id,
    name,
    path: name,
    path_with_namespace: fullName,
    default_branch: defaultBranch,
    visibility: isPrivate ? "private" : "public",
    empty_repo: branches.size === 0,
    ...(isFork && { forked_from_project: { id: 1 } }),
  };
}

function commitRecord({ sha, message, author, parents }: Commit): object {
  return { id: sha, title: message.split("\n", 1)[0], message, author_name: author, parent_ids: parents };
}

function filesAfter(actions: readonly Action[]): ReadonlyMap<string, RepositoryFile> {
  const files = new Map<string, RepositoryFile>();
  for (const { action, file_path, content = "", execute_filemode = false } of actions) {
    const known = files.get(file_path);
    if (action === "create") {
      if (known !== undefined) throw new Refusal(400, { message: "A file with this name already exists" });
      files.set(file_path, { content: Buffer.from(content, "base64"), isExecutable: false });
    } else if (known !== undefined) files.set(file_path, { ...known, isExecutable: execute_filemode });
    else throw new Refusal(400, { message: "A file with this name doesn't exist" });
  }
  return files;
}

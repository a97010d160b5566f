/** The operations of GitHub's REST API that an app uses, over the repositories in memory. */
import type { GithubUser } from "../login/github-host.ts";
import type { OperationName } from "./described.ts";
import type { GithubApp, InstallationToken } from "./github-app.ts";
import { type Commit, type Files, filesOf, type MemoryRepository, type RepositoryFile } from "./memory-repository.ts";

export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Exactly one of them is who calls. */
export interface ApiCaller {
  readonly isApp: boolean;
  readonly installation: InstallationToken | null;
  readonly user: GithubUser | null;
}

export interface ApiCall extends ApiCaller {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly hostUrl: string;
}

type Operation = (app: GithubApp, call: ApiCall) => unknown;

interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly content?: string;
  readonly sha?: string;
}

/** Records are filled up to what GitHub's description requires. */
export const APP_OPERATIONS: Partial<Readonly<Record<OperationName, Operation>>> = {
  "GET /user/installations/{installation_id}/repositories": (app, call) => {
    const user = userOf(call);
    const installation = app.installations.get(Number(call.parameters.installation_id));
    const all = [...(installation?.repositoryIds ?? [])].flatMap((id) => app.repositories.get(id) ?? []);
    const readable = all.filter((one) => app.mayRead(user, one));
    if (installation === undefined || (installation.account.login !== user.login && readable.length === 0)) {
      throw new Refusal(404, "Not Found");
    }
    return pageOf(readable, call.query, (one) => app.mayPush(user, one));
  },
  "GET /app/installations/{installation_id}": (app, call) => {
    if (!call.isApp) throw new Refusal(401, "A JSON web token could not be decoded");
    const { id, account, isSuspended } = installationOf(app, call);
    return { id, account, app_id: 1, suspended_at: isSuspended ? "2026-01-01T00:00:00Z" : null };
  },
  "POST /app/installations/{installation_id}/access_tokens": (app, call) => {
    if (!call.isApp) throw new Refusal(401, "A JSON web token could not be decoded");
    const installation = installationOf(app, call);
    if (installation.isSuspended) throw new Refusal(403, "This installation has been suspended");
    const body = call.body as { repository_ids?: number[]; permissions?: Record<string, string> };
    app.tokenRequests.push(body);
    const { repository_ids: ids = null, permissions = { contents: "write", statuses: "write" } } = body;
    if (ids?.some((id) => !installation.repositoryIds.has(id) || !app.repositories.has(id))) {
      throw new Refusal(
        422,
        "There is at least one repository that does not exist or is not accessible to the parent installation.",
      );
    }
    const token = app.makeToken(installation, { repositoryIds: ids, permissions });
    const expires = app.tokens.get(token)?.expiresAt ?? 0;
    return { token, expires_at: new Date(expires).toISOString(), permissions };
  },
  "GET /installation/repositories": (app, call) => {
    const { installation, repositoryIds } = installationTokenOf(call);
    const ids = [...installation.repositoryIds].filter((id) => repositoryIds?.includes(id) ?? true);
    return pageOf(
      ids.flatMap((id) => app.repositories.get(id) ?? []),
      call.query,
    );
  },
  "GET /repos/{owner}/{repo}/commits/{ref}": (app, call) => {
    const repository = readable(app, call, "contents");
    if (repository.readsUntilGenerated > 0) {
      repository.readsUntilGenerated -= 1;
      throw new Refusal(409, "Git Repository is empty.");
    }
    return commitRecord(commitOf(repository, call.parameters.ref ?? ""));
  },
  "GET /repos/{owner}/{repo}/compare/{basehead}": (app, call) => {
    const repository = readable(app, call, "contents");
    const [base = "", head = ""] = (call.parameters.basehead ?? "").split("...");
    const from = commitOf(repository, base);
    const to = commitOf(repository, head);
    const status =
      from.sha === to.sha
        ? "identical"
        : repository.leadsTo(to.sha, from)
          ? "behind"
          : repository.leadsTo(from.sha, to)
            ? "ahead"
            : "diverged";
    const commit = commitRecord(from);
    return { status, base_commit: commit, merge_base_commit: commit, commits: [], total_commits: 0 };
  },
  "POST /repos/{owner}/{repo}/statuses/{sha}": (app, call) => {
    const repository = readable(app, call, "statuses", "write");
    const { sha } = commitOf(repository, call.parameters.sha ?? "");
    const { state, context, target_url } = call.body as { state: string; context: string; target_url: string };
    repository.statuses.push({ sha, state, context, target_url });
    return { state, context, target_url };
  },
  "POST /repos/{template_owner}/{template_repo}/generate": (app, call) => {
    const user = userOf(call);
    const template = app.find(call.parameters.template_owner ?? "", call.parameters.template_repo ?? "");
    if (template === null || !app.templates.has(template.fullName)) throw new Refusal(404, "Not Found");
    const { owner, name } = call.body as { owner: string; name: string };
    requireMember(app, user, owner);
    if (app.find(owner, name) !== null) throw new Refusal(422, "Could not clone: Name already exists on this account");
    const head = commitOf(template, template.defaultBranch);
    const made = created(app, owner, name, head.files);
    made.readsUntilGenerated = 1;
    return repositoryRecord(made);
  },
  "POST /user/repos": (app, call) => createEmpty(app, call, userOf(call).login),
  "POST /orgs/{org}/repos": (app, call) => {
    requireMember(app, userOf(call), call.parameters.org ?? "");
    return createEmpty(app, call, call.parameters.org ?? "");
  },
  "POST /repos/{owner}/{repo}/git/blobs": (app, call) => {
    const { content, encoding } = call.body as { content: string; encoding: "base64" | "utf-8" };
    return { sha: writable(app, call).addBlob(Buffer.from(content, encoding)) };
  },
  "POST /repos/{owner}/{repo}/git/trees": (app, call) => {
    const repository = writable(app, call);
    const entries = call.body.tree as readonly TreeEntry[];
    const files = new Map(entries.map((entry) => [entry.path, fileOf(repository, entry)]));
    return { sha: repository.addTree(files), truncated: false, tree: [] };
  },
  "POST /repos/{owner}/{repo}/git/commits": (app, call) => {
    const repository = writable(app, call);
    const { message, tree, parents } = call.body as { message: string; tree: string; parents: string[] };
    const files = repository.trees.get(tree);
    if (files === undefined) throw new Refusal(422, "Tree SHA does not exist");
    return { sha: repository.addCommit(files, message, parents).sha, message };
  },
  "GET /repos/{owner}/{repo}/git/ref/{ref}": (app, call) => {
    const repository = readable(app, call, "contents");
    return {
      ref: `refs/${call.parameters.ref}`,
      object: { sha: commitOf(repository, call.parameters.ref ?? "").sha, type: "commit" },
    };
  },
  "PATCH /repos/{owner}/{repo}/git/refs/{ref}": (app, call) => {
    const repository = writable(app, call);
    const { sha } = commitOf(repository, String(call.body.sha));
    repository.branches.set((call.parameters.ref ?? "").replace(/^heads\//, ""), sha);
    return { ref: `refs/${call.parameters.ref}`, object: { sha, type: "commit" } };
  },
};

/** The archive that a call may have: its address is all that it takes to read it. */
export function archiveFor(
  app: GithubApp,
  call: ApiCall,
): { readonly repository: MemoryRepository; readonly commit: Commit } {
  const repository = readable(app, call, "contents");
  return { repository, commit: commitOf(repository, call.parameters.ref ?? "") };
}

/** `mayPush`: whether the caller may, where that is a user. */
function pageOf(
  all: readonly MemoryRepository[],
  query: URLSearchParams,
  mayPush?: (repository: MemoryRepository) => boolean,
): object {
  const [size, page] = [Number(query.get("per_page") ?? 30), Number(query.get("page") ?? 1)];
  const repositories = all.slice((page - 1) * size, page * size).map((one) => ({
    ...repositoryRecord(one),
    ...(mayPush !== undefined && { permissions: { admin: false, pull: true, push: mayPush(one) } }),
  }));
  return { total_count: all.length, repositories };
}

function repositoryRecord({
  id,
  name,
  fullName,
  isPrivate,
  isFork,
  defaultBranch,
  owner,
  pushedAt,
}: MemoryRepository): object {
  return {
    id,
    name,
    full_name: fullName,
    private: isPrivate,
    fork: isFork,
    default_branch: defaultBranch,
    owner: { login: owner, id: 1, type: "User" },
    pushed_at: new Date(pushedAt * 1000).toISOString(),
  };
}

function commitRecord({ sha, message, author, parents }: Commit): object {
  return {
    sha,
    commit: { message, author: { name: author } },
    parents: parents.map((parent) => ({ sha: parent, url: "" })),
  };
}

function commitOf(repository: MemoryRepository, ref: string): Commit {
  const commit = repository.find(ref);
  if (commit === null) throw new Refusal(422, `No commit found for SHA: ${ref}`);
  return commit;
}

function installationOf(app: GithubApp, { parameters }: ApiCall) {
  const installation = app.installations.get(Number(parameters.installation_id));
  if (installation === undefined) throw new Refusal(404, "Integration not found");
  return installation;
}

function userOf({ user }: ApiCall): GithubUser {
  if (user === null) throw new Refusal(403, "Resource not accessible by integration");
  return user;
}

function installationTokenOf({ installation }: ApiCall): InstallationToken {
  if (installation === null) throw new Refusal(403, "You must authenticate with an installation access token");
  return installation;
}

/** Throws as GitHub does: what the caller may not read is not there. */
function readable(app: GithubApp, call: ApiCall, permission: string, needed = "read"): MemoryRepository {
  const { owner = "", repo = "" } = call.parameters;
  const repository = app.find(owner, repo);
  const { installation, user } = call;
  if (repository === null) throw new Refusal(404, "Not Found");
  if (user !== null && app.mayRead(user, repository)) return repository;
  const isOpen =
    installation?.installation.repositoryIds.has(repository.id) &&
    (installation.repositoryIds?.includes(repository.id) ?? true);
  if (!isOpen) throw new Refusal(404, "Not Found");
  const given = installation?.permissions[permission];
  if (given !== needed && given !== "write") throw new Refusal(403, "Resource not accessible by integration");
  return repository;
}

function writable(app: GithubApp, call: ApiCall): MemoryRepository {
  const repository = readable(app, call, "contents", "write");
  const isOwn = call.user === null || repository.owner === call.user.login || app.organizations.has(repository.owner);
  if (!isOwn) throw new Refusal(403, "Resource not accessible by integration");
  return repository;
}

function requireMember(app: GithubApp, { login }: GithubUser, owner: string): void {
  if (owner === login || app.organizations.get(owner)?.members.has(login)) return;
  throw new Refusal(403, "Resource not accessible by integration");
}

function createEmpty(app: GithubApp, { body }: ApiCall, owner: string): object {
  const { name, auto_init } = body as { name: string; auto_init?: boolean };
  if (app.find(owner, name) !== null)
    throw new Refusal(422, "Repository creation failed: name already exists on this account");
  return repositoryRecord(created(app, owner, name, auto_init ? filesOf({ "README.md": `# ${name}` }) : undefined));
}

/** It is one of the installation's, where there is one. */
function created(app: GithubApp, owner: string, name: string, files: Files | undefined): MemoryRepository {
  const repository = app.addRepository({ owner, name }, files);
  const installation = [...app.installations.values()].find(({ account }) => account.login === owner);
  if (app.addsCreated) installation?.repositoryIds.add(repository.id);
  return repository;
}

function fileOf(repository: MemoryRepository, { mode, content, sha }: TreeEntry): RepositoryFile {
  const bytes = content === undefined ? repository.blobs.get(sha ?? "") : Buffer.from(content);
  if (bytes === undefined) throw new Refusal(422, "tree.sha does not exist");
  return { content: bytes, isExecutable: mode === "100755" };
}

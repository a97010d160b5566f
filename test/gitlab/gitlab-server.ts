/** What a GitLab server knows: projects and their members, access tokens of projects, and webhooks. */
import { randomBytes, randomUUID } from "node:crypto";
import { type Commit, type Files, MemoryRepository, type NewMemoryRepository } from "../github/memory-repository.ts";
import { describedPush } from "./described.ts";

export const GITLAB_CLIENT = { id: "gitlab-application", secret: "application-secret" };
export const GITLAB_WEBHOOK_SECRET = "webhook-secret";

export const REPORTER = 20;
export const DEVELOPER = 30;
export const MAINTAINER = 40;
const OWNER = 50;

export interface GitlabUser {
  readonly id: number;
  readonly login: string;
}

export interface ProjectToken {
  readonly id: number;
  /** Of all that it was rotated from, and to. */
  readonly family: number;
  readonly projectId: number;
  readonly scopes: readonly string[];
  readonly accessLevel: number;
  readonly expiresAt: string;
  isRevoked: boolean;
}

export interface Hook {
  readonly id: number;
  readonly projectId: number;
  readonly url: string;
  readonly token: string;
}

export interface SentPush {
  /** Of the hook where it is left out; null sends none. */
  readonly token?: string | null;
  readonly deliveryId?: string;
  readonly event?: string;
}

export class GitlabServer {
  readonly projects = new Map<number, MemoryRepository>();
  /** Access levels by the login of the member. */
  readonly members = new Map<number, Map<string, number>>();
  readonly tokens = new Map<string, ProjectToken>();
  readonly hooks: Hook[] = [];
  /** Whether its plan has access tokens of projects. */
  hasProjectTokens = true;
  /** Whether webhooks may lead to the address of the service. */
  acceptsHooks = true;
  #lastId = 5_000;

  addProject(
    { accessLevel = OWNER, ...given }: Omit<NewMemoryRepository, "id"> & { readonly accessLevel?: number },
    files?: Files,
    member = "ada",
  ): MemoryRepository {
    const project = new MemoryRepository({ id: this.nextId(), ...given });
    this.projects.set(project.id, project);
    this.members.set(project.id, new Map([[member, accessLevel]]));
    if (files !== undefined) project.commit(project.defaultBranch, files, "Initial commit\n\nwith more");
    return project;
  }

  find(owner: string, name: string): MemoryRepository | null {
    for (const one of this.projects.values()) if (one.owner === owner && one.name === name) return one;
    return null;
  }

  levelOf({ login }: GitlabUser, projectId: number): number {
    return this.members.get(projectId)?.get(login) ?? 0;
  }

  makeToken(given: Omit<ProjectToken, "id" | "family" | "isRevoked">, family = this.nextId()): string {
    const token = `glpat-${randomBytes(15).toString("hex")}`;
    this.tokens.set(token, { ...given, id: this.nextId(), family, isRevoked: false });
    return token;
  }

  /** A rotated token that is used for another rotation ends all of its family. */
  revokeFamily({ family }: ProjectToken): void {
    for (const token of this.tokens.values()) if (token.family === family) token.isRevoked = true;
  }

  tokensOf({ id }: MemoryRepository): readonly ProjectToken[] {
    return [...this.tokens.values()].filter((token) => token.projectId === id && !token.isRevoked);
  }

  /** Pushes a commit, and reports it: the commit, and the response of the project's webhook. */
  async push(project: MemoryRepository, branch: string, files: Files, message = "Change") {
    const before = project.branches.get(branch) ?? "0".repeat(40);
    const commit = project.commit(branch, files, message);
    const payload = this.pushPayload(project, { ref: `refs/heads/${branch}`, before, after: commit.sha });
    return { commit, payload, response: await this.send(project, payload) };
  }

  pushPayload({ id, fullName }: MemoryRepository, given: object): object {
    const project = { id, path_with_namespace: fullName };
    return describedPush({ object_kind: "push", event_name: "push", project_id: id, project, commits: [], ...given });
  }

  /** Null where the project has no webhook. */
  async send(
    { id }: MemoryRepository,
    payload: object,
    { token, deliveryId = randomUUID(), event = "Push Hook" }: SentPush = {},
  ): Promise<Response | null> {
    const hook = this.hooks.find(({ projectId }) => projectId === id);
    if (hook === undefined) return null;
    const sent = token === undefined ? hook.token : token;
    return fetch(hook.url, {
      method: "POST",
      body: JSON.stringify(payload),
      headers: {
        "content-type": "application/json",
        "user-agent": "GitLab/18.5.0",
        "x-gitlab-event": event,
        "x-gitlab-event-uuid": randomUUID(),
        "x-gitlab-webhook-uuid": randomUUID(),
        "idempotency-key": deliveryId,
        ...(sent !== null && { "x-gitlab-token": sent }),
      },
    });
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

/** The latest commit that led to both. */
export function mergeBaseOf(project: MemoryRepository, one: Commit, other: Commit): Commit | null {
  if (project.leadsTo(one.sha, other)) return one;
  for (const parent of one.parents) {
    const commit = project.network.get(parent);
    const base = commit === undefined ? null : mergeBaseOf(project, commit, other);
    if (base !== null) return base;
  }
  return null;
}

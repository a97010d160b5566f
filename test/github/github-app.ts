/** A GitHub App as GitHub knows it: its installations, their tokens, the repositories of all accounts, and its webhook. */
import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  verify,
} from "node:crypto";
import { CodeGrants } from "../login/code-grants.ts";
import type { GithubUser } from "../login/github-host.ts";
import { describedEvent, type EventName } from "./described.ts";
import { type Commit, type Files, MemoryRepository, type NewMemoryRepository } from "./memory-repository.ts";

export const APP_CLIENT = { id: "Iv1.elastic-app", secret: "app-secret" };
export const APP = { id: "4242", slug: "elastic-prover", webhookSecret: "webhook-secret" };
const INSTALLATION_TOKEN_MS = 3_600_000;

/** One key pair for a process: making one takes a while. */
let keys: { readonly privateKey: string; readonly publicKey: KeyObject } | null = null;

export function appKeys(): { readonly privateKey: string; readonly publicKey: KeyObject } {
  if (keys !== null) return keys;
  // PKCS #1, as GitHub hands it out.
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  keys = { privateKey, publicKey: createPublicKey(privateKey) };
  return keys;
}

export interface Installation {
  readonly id: number;
  readonly account: { readonly id: number; readonly login: string; readonly type: "User" | "Organization" };
  readonly repositoryIds: Set<number>;
  isSuspended: boolean;
}

export interface InstallationToken {
  readonly installation: Installation;
  /** Null for all of them. */
  readonly repositoryIds: readonly number[] | null;
  readonly permissions: Readonly<Record<string, string>>;
  readonly expiresAt: number;
}

export interface SentEvent {
  readonly deliveryId?: string;
  readonly secret?: string | null;
}

export class GithubApp {
  readonly grants = new CodeGrants<GithubUser>(APP_CLIENT);
  readonly repositories = new Map<number, MemoryRepository>();
  readonly installations = new Map<number, Installation>();
  readonly tokens = new Map<string, InstallationToken>();
  readonly organizations = new Map<string, { readonly id: number; readonly members: Set<string> }>();
  /** `owner/name` of those that may be generated from. */
  readonly templates = new Set<string>();
  /** Requests of tokens. */
  readonly tokenRequests: { readonly repository_ids?: readonly number[]; readonly permissions?: object }[] = [];
  /** Where the app's users come back to, and where its events go; the registration of the app has both. */
  callbackUrl = "";
  webhookUrl: string | null = null;
  /** Whether an installation gets the repositories that the app creates. */
  addsCreated = true;
  #lastId = 1_000;

  addRepository(given: Omit<NewMemoryRepository, "id">, files?: Files): MemoryRepository {
    const repository = new MemoryRepository({ id: this.#nextId(), ...given });
    this.repositories.set(repository.id, repository);
    if (files !== undefined) repository.commit(repository.defaultBranch, files, "Initial commit\n\nwith more");
    return repository;
  }

  find(owner: string, name: string): MemoryRepository | null {
    for (const one of this.repositories.values()) if (one.owner === owner && one.name === name) return one;
    return null;
  }

  install(account: Installation["account"], repositoryIds: Iterable<number>): Installation {
    const known = [...this.installations.values()].find((one) => one.account.id === account.id);
    const installation = known ?? { id: this.#nextId(), account, repositoryIds: new Set<number>(), isSuspended: false };
    installation.repositoryIds.clear();
    for (const repositoryId of repositoryIds) installation.repositoryIds.add(repositoryId);
    this.installations.set(installation.id, installation);
    return installation;
  }

  mayPush({ login }: Pick<GithubUser, "login">, { owner, writers }: MemoryRepository): boolean {
    return owner === login || writers.has(login) || (this.organizations.get(owner)?.members.has(login) ?? false);
  }

  mayRead({ login }: Pick<GithubUser, "login">, { owner, readers, writers, isPrivate }: MemoryRepository): boolean {
    return (
      !isPrivate ||
      owner === login ||
      readers.has(login) ||
      writers.has(login) ||
      (this.organizations.get(owner)?.members.has(login) ?? false)
    );
  }

  makeToken(installation: Installation, of: Pick<InstallationToken, "repositoryIds" | "permissions">): string {
    const token = `ghs_${randomBytes(18).toString("hex")}`;
    this.tokens.set(token, { installation, ...of, expiresAt: Date.now() + INSTALLATION_TOKEN_MS });
    return token;
  }

  /** Whether the app signed it, for now. */
  isAppToken(jwt: string): boolean {
    const [head = "", claims = "", signature = ""] = jwt.split(".");
    const signed = Buffer.from(`${head}.${claims}`);
    if (!verify("sha256", signed, appKeys().publicKey, Buffer.from(signature, "base64url"))) return false;
    const { alg } = JSON.parse(Buffer.from(head, "base64url").toString());
    const { iss, iat, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
    const now = Date.now() / 1000;
    return alg === "RS256" && iss === APP.id && iat <= now && exp > now && exp - iat <= 600;
  }

  /** Pushes a commit, and reports it where the app is installed: the commit, and the response of the webhook. */
  async push(repository: MemoryRepository, branch: string, files: Files, message = "Change"): Promise<Pushed> {
    const before = repository.branches.get(branch) ?? "0".repeat(40);
    const commit = repository.commit(branch, files, message);
    const payload = this.pushPayload(repository, { ref: `refs/heads/${branch}`, before, after: commit.sha });
    return { commit, payload, response: payload === null ? null : await this.send("push", payload) };
  }

  /** Null where the app is not installed. */
  pushPayload(repository: MemoryRepository, given: object): object | null {
    const installation = [...this.installations.values()].find((one) => one.repositoryIds.has(repository.id));
    if (installation === undefined) return null;
    return describedEvent("push", {
      created: false,
      deleted: false,
      forced: false,
      repository: {
        id: repository.id,
        fork: repository.isFork,
        full_name: repository.fullName,
        pushed_at: Math.floor(Date.now() / 1000),
      },
      installation: { id: installation.id, node_id: "I_1" },
      ...given,
    }) as object;
  }

  async uninstall(installation: Installation): Promise<Response | null> {
    this.installations.delete(installation.id);
    for (const [token, of] of this.tokens) if (of.installation.id === installation.id) this.tokens.delete(token);
    return this.#report("installation-deleted", "deleted", installation);
  }

  async suspend(installation: Installation, isSuspended = true): Promise<Response | null> {
    installation.isSuspended = isSuspended;
    const action = isSuspended ? "suspend" : "unsuspend";
    return this.#report(`installation-${action}`, action, installation);
  }

  async removeRepositories(installation: Installation, ids: readonly number[]): Promise<Response | null> {
    for (const id of ids) installation.repositoryIds.delete(id);
    const removed = ids.map((id) => ({ id, full_name: this.repositories.get(id)?.fullName ?? "" }));
    const more = { repositories_removed: removed, repositories_added: [], repository_selection: "selected" };
    return this.#report("installation-repositories-removed", "removed", installation, more);
  }

  #report(name: EventName, action: string, { id, account }: Installation, more: object = {}): Promise<Response | null> {
    const payload = describedEvent(name, {
      action,
      installation: { id, account, app_id: Number(APP.id), updated_at: new Date().toISOString() },
      ...more,
    });
    const isOfRepositories = name.startsWith("installation-repositories");
    return this.send(isOfRepositories ? "installation_repositories" : "installation", payload as object);
  }

  /** Sends an event to the webhook. A null secret sends it unsigned. */
  async send(
    name: string,
    payload: object,
    { deliveryId = randomUUID(), secret = APP.webhookSecret }: SentEvent = {},
  ): Promise<Response | null> {
    if (this.webhookUrl === null) return null;
    const body = JSON.stringify(payload);
    return fetch(this.webhookUrl, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-github-event": name,
        "x-github-delivery": deliveryId,
        ...(secret !== null && { "x-hub-signature-256": signatureOf(body, secret) }),
      },
    });
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

export interface Pushed {
  readonly commit: Commit;
  readonly payload: object | null;
  readonly response: Response | null;
}

export function signatureOf(body: string | Buffer, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

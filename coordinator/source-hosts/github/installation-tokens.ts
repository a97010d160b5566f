/**
 * Tokens of an installation, each with the least that a request takes: one repository and one permission. GitHub's last an
 * hour; they are cached in memory until shortly before that.
 */

import type { Clock } from "@elastic/std/clock.ts";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { readSecretFile } from "../../secrets/secret-file.ts";
import { type ApiRequest, type ApiResponse, expectBody, type HostApi, messageOf } from "../host-api.ts";
import { SourceHostError, type SourceHostErrorCode } from "../source-host-error.ts";
import type { GithubSettings } from "../source-settings.ts";
import { appJwt } from "./app-jwt.ts";

/** A request with it has to end before it expires. */
const UNUSED_BEFORE_END_MS = 5 * 60_000;
const CACHED_MAX = 1_000;

export interface TokenScope {
  readonly installationId: string;
  /** Null for what concerns all of them, such as their list. */
  readonly repositoryId: string | null;
  readonly permissions: Readonly<Partial<Record<"metadata" | "contents" | "statuses", "read" | "write">>>;
}

interface CachedToken {
  readonly token: string;
  readonly endsAt: number;
}

const tokenSchema = z.object({ token: z.string().min(1).max(2_000), expires_at: z.iso.datetime({ offset: true }) });

export type TokenSettings = Pick<GithubSettings, "name" | "appId" | "privateKeyFile">;

export class InstallationTokens {
  readonly #api: HostApi;
  readonly #settings: TokenSettings;
  readonly #clock: Pick<Clock, "now">;
  readonly #cached = new LRUCache<string, CachedToken>({ max: CACHED_MAX });

  constructor(api: HostApi, settings: TokenSettings, clock: Pick<Clock, "now">) {
    this.#api = api;
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Sends a request with a token of that scope; once more with another one where GitHub accepts the first no longer. */
  async send(scope: TokenScope, request: Omit<ApiRequest, "token">): Promise<ApiResponse> {
    return this.withToken(scope, (token) => this.#api.send({ ...request, token }));
  }

  async withToken<T extends { readonly status: number }>(
    scope: TokenScope,
    use: (token: string) => Promise<T>,
  ): Promise<T> {
    const response = await use(await this.#tokenOf(scope));
    if (response.status !== 401) return response;
    this.#cached.delete(keyOf(scope));
    return use(await this.#tokenOf(scope));
  }

  /** With the app's own token. */
  sendAsApp(request: Omit<ApiRequest, "token">): Promise<ApiResponse> {
    return this.#api.send({ ...request, token: this.#appToken() });
  }

  async #tokenOf(scope: TokenScope): Promise<string> {
    const cached = this.#cached.get(keyOf(scope));
    if (cached !== undefined && cached.endsAt - UNUSED_BEFORE_END_MS > this.#clock.now()) return cached.token;
    const made = await this.#make(scope);
    this.#cached.set(keyOf(scope), made);
    return made.token;
  }

  async #make({ installationId, repositoryId, permissions }: TokenScope): Promise<CachedToken> {
    const response = await this.sendAsApp({
      method: "POST",
      path: `/app/installations/${installationId}/access_tokens`,
      body: { permissions, ...(repositoryId !== null && { repository_ids: [Number(repositoryId)] }) },
    });
    const refusal = refusalOf(response);
    if (refusal !== null) throw new SourceHostError(refusal, new Error(messageOf(response.body)));
    const { token, expires_at } = expectBody(response, 201, tokenSchema);
    return { token, endsAt: Date.parse(expires_at) };
  }

  #appToken(): string {
    const { name, appId, privateKeyFile } = this.#settings;
    try {
      return appJwt(
        appId,
        readSecretFile(`the private key of the source host ${name}`, privateKeyFile),
        this.#clock.now(),
      );
    } catch (error) {
      throw new SourceHostError("app_rejected", error);
    }
  }
}

/** Of a request for a token; null for what is no refusal. */
function refusalOf({ status, body }: ApiResponse): SourceHostErrorCode | null {
  if (status === 401) return "app_rejected";
  if (status === 403) return "suspended";
  if (status === 404) return "revoked";
  if (status !== 422) return null;
  // The repository is not, or no longer, one of the installation; or its owner has not granted the permission.
  return /permission/i.test(messageOf(body)) ? "no_permission" : "repository_gone";
}

function keyOf({ installationId, repositoryId, permissions }: TokenScope): string {
  return JSON.stringify([installationId, repositoryId, permissions]);
}

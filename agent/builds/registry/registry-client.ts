/**
 * Requests to a registry (OCI distribution specification 1.0) with the token that its challenge requires (distribution
 * registry, token authentication). One client is of one build: its tokens end with it.
 */
import { BuildFailure } from "../../domain/build-failure.ts";

export interface RegistryAddress {
  /** `host[:port]`, as it begins an image's name. */
  readonly host: string;
  /** Shown to the token service; null for a registry that requires none. */
  readonly password: string | null;
}

interface RegistryRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT";
  /** `/v2/…`, or where the registry redirected to. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Created for each try. */
  readonly body?: () => Promise<Buffer | AsyncIterable<Buffer>> | Buffer | AsyncIterable<Buffer>;
  readonly signal: AbortSignal;
}

export interface RegistryClient {
  readonly host: string;
  /** Throws BuildFailure where the registry does not respond. */
  send(request: RegistryRequest): Promise<Response>;
}

const RESPONDS_WITHIN_MS = 600_000;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

export function registryClient({ host, password }: RegistryAddress): RegistryClient {
  // As engines have it: without TLS on loopback only.
  const base = `${LOOPBACK.test(host) ? "http" : "https"}://${host}`;
  let authorization: string | null = null;
  const attempt = async ({ method, path, headers = {}, body, signal }: RegistryRequest): Promise<Response> => {
    const init = {
      method,
      headers: { ...headers, ...(authorization === null ? {} : { authorization }) },
      redirect: "manual" as const,
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONDS_WITHIN_MS)]),
      ...(body === undefined
        ? {}
        : { body: (await body()) as NonNullable<RequestInit["body"]>, duplex: "half" as const }),
    };
    return await fetch(new URL(path, base), init).catch((error: unknown) => {
      signal.throwIfAborted();
      throw unavailable(host, error);
    });
  };
  const authorize = async (challenge: string, signal: AbortSignal): Promise<void> => {
    const { realm, ...query } = parametersOf(challenge);
    if (realm === undefined || password === null)
      throw refused(host, "it requires a login that this build does not have");
    const url = new URL(realm);
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
    const basic = `Basic ${Buffer.from(`builder:${password}`).toString("base64")}`;
    const answer = await fetch(url, { headers: { authorization: basic }, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw unavailable(host, error);
    });
    const { token } = (await answer.json().catch(() => ({}))) as { readonly token?: string };
    if (!answer.ok || token === undefined) throw refused(host, `its token service returned ${answer.status}`);
    authorization = `Bearer ${token}`;
  };
  return {
    host,
    send: async (request) => {
      const first = await attempt(request);
      if (first.status !== 401) return first;
      await first.body?.cancel();
      // Each token is for the request before it.
      await authorize(first.headers.get("www-authenticate") ?? "", request.signal);
      return await attempt(request);
    },
  };
}

function parametersOf(challenge: string): Partial<Record<"realm" | "service" | "scope", string>> {
  const found = [...challenge.matchAll(/(realm|service|scope)="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name, value]));
}

function unavailable(host: string, cause: unknown): BuildFailure {
  return new BuildFailure("registry_unavailable", `the registry ${host} does not respond`, { cause });
}

function refused(host: string, why: string): BuildFailure {
  return new BuildFailure("registry_unavailable", `the registry ${host} refused: ${why}`);
}

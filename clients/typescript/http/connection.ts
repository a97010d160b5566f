/** Where the service is, who calls it, and how patiently. */
import { RETRIES, type RetryPolicy } from "./retry.ts";

export interface ConnectionOptions {
  /** Base address, such as `https://proving.example.com`, without `/v1`. */
  readonly url: string;
  /** An access key, `eps_…`; null where there is none yet. */
  readonly key: string | null;
  /** The team of lists and creations, by its id; the key's own where it is left out. */
  readonly team?: string | undefined;
  /** In place of the global one, as for an authority of one's own or a proxy. */
  readonly fetch?: typeof fetch;
  /** What differs from the usual: `{ attemptsMax: 1 }` sends everything once. */
  readonly retries?: Partial<RetryPolicy>;
  /** How long a response may take, what is waited for not included. */
  readonly timeoutMs?: number;
  /** In a browser its own one is sent where this is left out. */
  readonly userAgent?: string;
}

export interface Connection {
  readonly url: string;
  readonly key: string | null;
  readonly team: string | undefined;
  readonly fetch: typeof fetch;
  readonly retries: RetryPolicy;
  readonly timeoutMs: number;
  /** Null where the browser's is sent. */
  readonly userAgent: string | null;
}

const TIMEOUT_MS = 30_000;

/** Throws a TypeError for an address that is none. */
export function openConnection(options: ConnectionOptions): Connection {
  const { protocol, href } = new URL(options.url);
  if (protocol !== "http:" && protocol !== "https:")
    throw new TypeError(`not an http or https address: ${options.url}`);
  return {
    url: href.replace(/\/+$/, ""),
    key: options.key,
    team: options.team,
    // Looked up with each request: it may be replaced, and must not be called as a method.
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    retries: { ...RETRIES, ...options.retries },
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    userAgent: options.userAgent ?? (isBrowser() ? null : "elastic-client"),
  };
}

/** A page or its worker. There the header takes a preflight, in Firefox and Safari, and hides which browser it is. */
function isBrowser(): boolean {
  return "document" in globalThis || "WorkerGlobalScope" in globalThis;
}

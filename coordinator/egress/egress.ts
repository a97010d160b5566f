/**
 * The only way out: every request to a URL that a user gave goes through here. The host is resolved once, all of its
 * addresses are judged, and one of exactly these is dialled. Redirects are failures, responses are bounded, and one
 * time-out covers everything from the name to the last byte. A connection serves one request.
 */
import type { IncomingHttpHeaders } from "node:http";
import { type LookUp, queryNameServers } from "@elastic/std/net/name-servers.ts";
import { ownAddresses } from "@elastic/std/net/own-addresses.ts";
import { Client, type Dispatcher } from "undici";
import type { AllowRule } from "./allow-list.ts";
import { boundedBody } from "./bounded-body.ts";
import { checkAddresses, checkUrl, type GuardOptions } from "./check-url.ts";
import { dialer } from "./dial.ts";
import { EgressError } from "./egress-error.ts";
import { resolveHost } from "./resolve-host.ts";

const HEAD_BYTES_MAX = 16 * 1024;

export interface EgressOptions {
  readonly allow: readonly AllowRule[];
  /** How names are resolved; default by the machine's name servers. */
  readonly lookUp?: LookUp;
  /** Certificates of the authorities to trust instead of the usual ones. */
  readonly ca?: string;
}

export interface EgressRequest {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** From the resolving of the name to the last byte of the response. */
  readonly timeoutMs: number;
  /** Of the response's body. */
  readonly bytesMax: number;
  readonly signal?: AbortSignal;
}

export interface EgressResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** To be read once. Throws EgressError when it is too large, compressed, cut or late. */
  readonly body: AsyncIterable<Buffer>;
  /** Ends the connection. Needed where the body is not read to its end. */
  close(): void;
}

export interface Egress {
  /** Throws EgressError for a URL that is refused whatever its host resolves to. */
  check(url: string): void;
  /** Throws EgressError, or the reason of `signal`. */
  request(url: string, request: EgressRequest): Promise<EgressResponse>;
}

export function openEgress(options: EgressOptions): Egress {
  return {
    check: (url) => {
      checkUrl(url, guardOf(options));
    },
    request: (url, request) => send(options, url, request),
  };
}

async function send(options: EgressOptions, text: string, request: EgressRequest): Promise<EgressResponse> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
  const translate = (error: unknown): unknown => {
    if (request.signal?.aborted) return request.signal.reason;
    if (timeout.aborted) return new EgressError("timeout");
    return error instanceof EgressError ? error : new EgressError("broken", { cause: error });
  };
  try {
    const client = await open(options, text, signal);
    const close = () => void client.destroy().catch(() => undefined);
    try {
      const response = await client.request(messageOf(text, request, signal));
      if (response.statusCode >= 300 && response.statusCode < 400) {
        throw new EgressError("redirected", { status: response.statusCode });
      }
      return {
        status: response.statusCode,
        headers: response.headers,
        body: boundedBody(response, request.bytesMax, { translate, close }),
        close,
      };
    } catch (error) {
      close();
      throw error;
    }
  } catch (error) {
    throw translate(error);
  }
}

/** A client of one connection, to an address that may be called. */
async function open(options: EgressOptions, text: string, signal: AbortSignal): Promise<Client> {
  const guard = guardOf(options);
  const to = checkUrl(text, guard);
  const addresses = await unlessAborted(resolveHost(to.host, options.lookUp ?? queryNameServers, signal), signal);
  const bytes = addresses.map((address) => address.bytes);
  checkAddresses(to, bytes, guard);
  const host = to.host.includes(":") ? `[${to.host}]` : to.host;
  return new Client(`${to.url.protocol}//${host}:${to.port}`, {
    connect: dialer({ to, addresses, signal, ca: options.ca }),
    maxHeaderSize: HEAD_BYTES_MAX,
    // The one time-out of the request covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function messageOf(text: string, request: EgressRequest, signal: AbortSignal): Dispatcher.RequestOptions {
  const { pathname, search } = new URL(text);
  return {
    method: request.method,
    path: pathname + search,
    // What is not compressed cannot grow when it is opened.
    headers: { "user-agent": "elastic-proving-service", "accept-encoding": "identity", ...request.headers },
    body: request.body ?? null,
    signal,
    reset: true,
  };
}

/** A resolver that does not listen to the signal holds nobody up. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}

function guardOf({ allow }: EgressOptions): GuardOptions {
  return { allow, own: ownAddresses() };
}

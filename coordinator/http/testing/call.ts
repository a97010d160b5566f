/** Calls of the API as a client makes them. Every response must be one that the OpenAPI document describes. */
import { connect } from "node:net";
import { expectDescribed } from "./conformance.ts";

export interface CallResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: ResponseBody;
}

/** The fields that tests look at in some response; a response has those of its kind. */
export interface ResponseBody {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly request_id: string;
  readonly instance: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  readonly task_id: string;
  readonly batch_id: string;
  readonly origins: readonly string[];
  readonly task_ids: readonly string[];
  readonly service_id: string;
  readonly service_url: string;
  readonly team_name: string;
  readonly deployment_id: string;
  readonly volume_id: string;
  readonly shell_id: string;
  readonly join_token_id: string;
  readonly token: string;
  readonly ticket: string;
  readonly ca_sha256: string;
  readonly command: string;
  readonly install_command: string | null;
  readonly password: string | null;
  readonly egress: readonly string[];
  readonly stopped_by: string | null;
  readonly starting: { readonly warning: string | null; readonly log_tail: string } | null;
  readonly sha256: string;
  readonly last_deployed: string | null;
  readonly state: string;
  readonly waiting: { readonly reason: string; readonly message: string } | null;
  readonly phase: string;
  readonly created: string;
  readonly started: string;
  readonly finished: string;
  readonly input: string;
  readonly input_bytes: number;
  readonly result: string | null;
  readonly result_url: string;
  readonly result_omitted: boolean;
  readonly expires_at: string;
  readonly cancelled: boolean;
  readonly items: readonly ResponseBody[];
  readonly name: string;
  readonly key: string;
  readonly key_id: string;
  readonly user_id: string;
  readonly team_id: string | null;
  readonly scopes: readonly string[];
  readonly expires: string | null;
  readonly made_by: string | null;
  readonly last_used: string | null;
  readonly revoked: string | null;
  readonly repository_id: string;
  readonly invitation_id: string;
  readonly role: string;
  readonly default: boolean;
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface CallOptions {
  readonly key?: string;
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function call(url: string, options: CallOptions = {}): Promise<CallResponse> {
  const { key, body = null } = options;
  const method = options.method ?? (body === null ? "GET" : "POST");
  const response = await fetch(url, {
    method,
    body,
    headers: {
      ...(key === undefined ? {} : { "x-api-key": key }),
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...options.headers,
    },
    redirect: "manual",
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  });
  const text = isEventStream(response.headers) ? await firstEvent(response) : await response.text();
  const { status, headers } = response;
  await expectDescribed({ server: url, method, target: targetOf(url), status, headers, text });
  return { status, headers, text, json: parse(text) };
}

function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Sends the text as it is on a new socket and returns all that comes back until the server closes it; of events the first. */
export async function callRaw(url: string, text: string | Uint8Array): Promise<CallResponse> {
  const response = await sendRaw(url, text);
  const line = Buffer.from(text.slice(0, LINE_LENGTH_MAX)).toString("latin1");
  const [method = "", target = ""] = line.split(/[ \r\n]/, 2);
  await expectDescribed({ server: url, method, target: target.replace(WITH_HOST, ""), ...response });
  return response;
}

/** More than any test sends as its first line. */
const LINE_LENGTH_MAX = 20_000;
/** A target may name the host too. */
const WITH_HOST = /^https?:\/\/[^/]*/;

/** The same to a server that need not be the API. */
export function sendRaw(url: string, text: string | Uint8Array): Promise<CallResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const pieces: Buffer[] = [];
    socket.on("data", (piece) => {
      pieces.push(piece);
      const isEvents = pieces[0]?.includes("content-type: text/event-stream") ?? false;
      if (isEvents && FIRST_EVENT.test(Buffer.concat(pieces).toString("utf8"))) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(readResponse(Buffer.concat(pieces).toString("utf8"))));
  });
}

/** An event stream need not end. */
const FIRST_EVENT = /^.*?^data: [^\n]*\n\n/ms;

function isEventStream(headers: Headers): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

async function firstEvent(response: Response): Promise<string> {
  let text = "";
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString("utf8");
    const [first] = FIRST_EVENT.exec(text) ?? [];
    if (first !== undefined) return first;
  }
  return text;
}

function readResponse(whole: string): CallResponse {
  const end = whole.indexOf("\r\n\r\n");
  const [status = "", ...lines] = whole.slice(0, end).split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  const body = end < 0 ? "" : whole.slice(end + 4);
  const text = headers.get("transfer-encoding") === "chunked" ? joined(body) : body;
  return { status: Number(status.split(" ")[1]), headers, text, json: parse(text) };
}

/** The chunks of a body, whose sizes count bytes. */
function joined(chunked: string): string {
  const bytes = Buffer.from(chunked);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16);
    if (!(size > 0)) break;
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(chunks).toString();
}

/** A response that is not JSON has no fields to look at. */
function parse(text: string): ResponseBody {
  try {
    return JSON.parse(text) as ResponseBody;
  } catch {
    return undefined as unknown as ResponseBody;
  }
}

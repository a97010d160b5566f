/**
 * Unary gRPC calls over node:http2, which every task pays for: @grpc/grpc-js takes two to three times the CPU for such
 * a call. One connection to one member at a time.
 *
 * A call without a response in time ends its connection, and one that finds its member out of order leaves it for
 * the next member: whatever hangs or broke, the next call starts over.
 */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { type MethodDefinition, status } from "@grpc/grpc-js";
import type { TlsMaterial } from "./etcd-credentials.ts";
import type { EtcdLogin } from "./etcd-login.ts";
import type { EtcdMembers } from "./etcd-members.ts";
import { encodeMessage, type GrpcAnswer, type GrpcStatus, grpcStatus, readMessage } from "./grpc-wire.ts";

/** The call surely did not reach the server. */
export class NeverSentError extends Error {
  override readonly name: string = "NeverSentError";
}

/** Nor will another one before somebody corrects the user or its password. */
export class LoginError extends NeverSentError {
  override readonly name = "LoginError";
}

/** The server responded, but with no message. */
export class GrpcStatusError extends Error {
  override readonly name = "GrpcStatusError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface UnaryChannelOptions {
  readonly members: EtcdMembers;
  /** What a connection over TLS uses: read for each. */
  readonly tls: () => TlsMaterial;
  /** Whose token is sent. */
  readonly login: EtcdLogin;
  /** Of connecting, and of a call. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
}

/** What a client needs to know of a method. */
export type UnaryMethod<Request, Response> = Pick<
  MethodDefinition<Request, Response>,
  "path" | "requestSerialize" | "responseDeserialize"
>;

interface CallHead {
  readonly path: string;
  readonly token?: string;
}

interface Connection {
  readonly endpoint: string;
  readonly session: ClientHttp2Session;
  readonly connected: Promise<void>;
}

export class UnaryChannel {
  readonly #options: UnaryChannelOptions;
  #connection: Connection | null = null;
  #closed = false;

  constructor(options: UnaryChannelOptions) {
    this.#options = options;
  }

  /** Sends it once. Rejects with NeverSentError, GrpcStatusError, or another error where nobody knows what became of it. */
  async call<Request, Response>(method: UnaryMethod<Request, Response>, request: Request): Promise<Response> {
    const token = this.#options.login.token();
    if (token === null) return await this.#call(method, request, null);
    try {
      return await this.#call(method, request, await loggedIn(token));
    } catch (error) {
      // etcd looks at the token before anything else: this call did nothing.
      if (!(error instanceof GrpcStatusError && this.#options.login.isRefused(error.message))) throw error;
      const renewed = this.#options.login.token();
      return await this.#call(method, request, renewed === null ? null : await loggedIn(renewed));
    }
  }

  /** The same as nobody. */
  callWithoutToken<Request, Response>(method: UnaryMethod<Request, Response>, request: Request): Promise<Response> {
    return this.#call(method, request, null);
  }

  async #call<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    token: string | null,
  ): Promise<Response> {
    if (this.#closed) throw new NeverSentError("the channel is closed");
    const connection = this.#current();
    await connection.connected;
    const head = token === null ? {} : { token };
    const answer = await this.#exchange(connection, { path: method.path, ...head }, method.requestSerialize(request));
    if (answer.code === status.OK) return method.responseDeserialize(readMessage(answer.data));
    if (answer.code === status.UNAVAILABLE || answer.code === status.DEADLINE_EXCEEDED) this.#leave(connection);
    throw new GrpcStatusError(answer.code, answer.message);
  }

  close(): void {
    this.#closed = true;
    this.#connection?.session.destroy();
  }

  /** To the member that everything goes to now. */
  #current(): Connection {
    const endpoint = this.#options.members.current();
    const connection = this.#connection;
    if (connection?.endpoint === endpoint) return connection;
    // What is under way there may still get a response.
    connection?.session.close();
    this.#connection = this.#connect(endpoint);
    return this.#connection;
  }

  #connect(endpoint: string): Connection {
    const { tls, timeoutMs } = this.#options;
    const secured = endpoint.startsWith("https:") ? tls() : {};
    const session = connect(endpoint, { settings: { enablePush: false }, ...secured });
    const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
    const connection = { endpoint, session, connected };
    const late = setTimeout(() => session.destroy(new Error("it took too long")), timeoutMs);
    const over = (cause?: unknown): void => {
      clearTimeout(late);
      reject(new NeverSentError(`no connection to ${endpoint}: ${withoutAddress(messageOf(cause))}`, { cause }));
      this.#leave(connection);
    };
    session.once("connect", () => {
      clearTimeout(late);
      resolve();
    });
    session.on("error", over);
    session.once("goaway", () => this.#leave(connection));
    session.once("close", () => over(new Error("it was closed")));
    return connection;
  }

  /** The next call connects again, to the next member. */
  #leave(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    this.#options.members.leave(connection.endpoint);
    // What else is under way there may still get a response.
    connection.session.close();
  }

  #exchange(connection: Connection, head: CallHead, message: Uint8Array): Promise<GrpcAnswer> {
    const { timeoutMs, answerBytesMax } = this.#options;
    return new Promise((resolve, reject) => {
      const stream = open(connection.session, head, timeoutMs);
      const late = setTimeout(() => {
        reject(new Error(`no response within ${timeoutMs} ms`));
        this.#leave(connection);
        connection.session.destroy();
      }, timeoutMs);
      const chunks: Buffer[] = [];
      let bytes = 0;
      let status: GrpcStatus | null = null;
      stream.on("response", (headers) => {
        status = grpcStatus(headers);
      });
      stream.on("trailers", (trailers) => {
        status = grpcStatus(trailers);
      });
      stream.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > answerBytesMax) stream.close(constants.NGHTTP2_CANCEL);
      });
      stream.on("end", () => {
        if (status !== null) resolve({ ...status, data: Buffer.concat(chunks) });
      });
      let failure: unknown = null;
      // `close` follows.
      stream.on("error", (error) => {
        failure = error;
      });
      stream.on("close", () => {
        clearTimeout(late);
        if (status === null) {
          // A member that rejects the certificate after the handshake may leave a session that ends every stream.
          this.#leave(connection);
        }
        if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) reject(new NeverSentError("the member refused it"));
        else reject(new Error(endedEarly(failure), { cause: failure }));
      });
      stream.end(encodeMessage(message));
    });
  }
}

async function loggedIn(token: Promise<string>): Promise<string> {
  try {
    return await token;
  } catch (cause) {
    const refused = cause instanceof GrpcStatusError ? LoginError : NeverSentError;
    throw new refused(`no login at etcd: ${messageOf(cause)}`, { cause });
  }
}

/** Throws where the connection no longer accepts calls. */
function open(session: ClientHttp2Session, { path, ...token }: CallHead, timeoutMs: number): ClientHttp2Stream {
  try {
    return session.request({
      ...token,
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      "grpc-timeout": `${timeoutMs}m`,
      te: "trailers",
    });
  } catch (cause) {
    throw new NeverSentError("the connection no longer accepts calls", { cause });
  }
}

function endedEarly(failure: unknown): string {
  return `the connection ended before the response${failure === null ? "" : `: ${messageOf(failure)}`}`;
}

/** Of what Node says, such as `connect ECONNREFUSED 10.0.0.5:2379`, the part that names no address once more. */
function withoutAddress(message: string): string {
  return message.replace(/^(connect E[A-Z]+) \S+:\d+$/, "$1");
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

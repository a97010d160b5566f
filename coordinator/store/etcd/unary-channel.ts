/**
 * Unary gRPC calls over node:http2, for the transactions that every task pays for: @grpc/grpc-js takes two to three
 * times the CPU for such a call. One connection to one member at a time.
 *
 * A call without a response in time ends its connection, and one that finds its member out of order leaves it for
 * the next member: whatever hangs or broke, the next call starts over.
 */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { type MethodDefinition, status } from "@grpc/grpc-js";
import type { TlsMaterial } from "./etcd-credentials.ts";
import type { EtcdLogin } from "./etcd-login.ts";
import { encodeMessage, type GrpcAnswer, type GrpcStatus, grpcStatus, readMessage } from "./grpc-wire.ts";

/** The call surely did not reach the server. */
export class NeverSentError extends Error {
  override readonly name = "NeverSentError";
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
  /** `http://<host>:<port>` or `https://<host>:<port>`, one for each member. */
  readonly endpoints: readonly string[];
  /** What a connection over TLS uses: read for each. */
  readonly tls: () => TlsMaterial;
  /** Whose token is sent. */
  readonly login: EtcdLogin;
  /** Of connecting, and of a call. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
}

interface CallHead {
  readonly path: string;
  readonly token?: string;
}

interface Connection {
  readonly session: ClientHttp2Session;
  readonly connected: Promise<void>;
}

export class UnaryChannel {
  readonly #options: UnaryChannelOptions;
  #connection: Connection | null = null;
  #member = 0;
  #closed = false;

  constructor(options: UnaryChannelOptions) {
    this.#options = options;
  }

  /** Sends it once. Rejects with NeverSentError, GrpcStatusError, or another error where nobody knows what became of it. */
  async call<Request, Response>(method: MethodDefinition<Request, Response>, request: Request): Promise<Response> {
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

  async #call<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
    token: string | null,
  ): Promise<Response> {
    if (this.#closed) throw new NeverSentError("the channel is closed");
    this.#connection ??= this.#connect();
    const connection = this.#connection;
    await connection.connected;
    const head = token === null ? {} : { token };
    const answer = await this.#exchange(connection, { path: method.path, ...head }, method.requestSerialize(request));
    if (answer.code === status.OK) return method.responseDeserialize(readMessage(answer.data));
    if (answer.code === status.UNAVAILABLE) {
      this.#leave(connection);
      // What else is under way there may still get a response.
      connection.session.close();
    }
    throw new GrpcStatusError(answer.code, answer.message);
  }

  close(): void {
    this.#closed = true;
    this.#connection?.session.destroy();
  }

  #connect(): Connection {
    const { endpoints, tls, timeoutMs } = this.#options;
    const endpoint = endpoints[this.#member % endpoints.length] ?? "";
    const secured = endpoint.startsWith("https:") ? tls() : {};
    const session = connect(endpoint, { settings: { enablePush: false }, ...secured });
    const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
    const connection = { session, connected };
    const late = setTimeout(() => session.destroy(new Error("it took too long")), timeoutMs);
    const over = (cause?: unknown): void => {
      clearTimeout(late);
      reject(new NeverSentError(`no connection to ${endpoint}: ${messageOf(cause)}`, { cause }));
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

  /** The next call connects again. */
  #leave(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    this.#member++;
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
      // `close` follows.
      stream.on("error", () => undefined);
      stream.on("close", () => {
        clearTimeout(late);
        if (status === null) {
          // A member that rejects the certificate after the handshake may leave a session that ends every stream.
          this.#leave(connection);
          connection.session.close();
        }
        if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) reject(new NeverSentError("the member refused it"));
        else reject(new Error("the connection ended before the response"));
      });
      stream.end(encodeMessage(message));
    });
  }
}

async function loggedIn(token: Promise<string>): Promise<string> {
  try {
    return await token;
  } catch (cause) {
    throw new NeverSentError(`no login at etcd: ${messageOf(cause)}`, { cause });
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

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * The token of the user as whom a coordinator acts in etcd. All clients share it. etcd forgets tokens (after five idle
 * minutes, or when a member restarts): whoever is refused for its token says so, and the next call logs in again.
 */
import { type CallCredentials, credentials, Metadata, status } from "@grpc/grpc-js";

/** Of calls, and as the reason for which etcd cancels a watch. */
const REFUSED_TOKEN = /invalid auth token|revision of auth store is old/;

export interface EtcdUser {
  readonly name: string;
  readonly password: string;
}

export class EtcdLogin {
  readonly #authenticate: (user: EtcdUser) => Promise<string>;
  readonly #user: () => EtcdUser | null;
  #token: Promise<string> | null = null;

  constructor(user: () => EtcdUser | null, authenticate: (user: EtcdUser) => Promise<string>) {
    this.#user = user;
    this.#authenticate = authenticate;
  }

  /** Null where no user is configured. Rejects where etcd does not log the user in. */
  token(): Promise<string> | null {
    if (this.#token !== null) return this.#token;
    const user = this.#user();
    if (user === null) return null;
    const token = this.#authenticate(user);
    token.catch(() => this.#forget(token));
    this.#token = token;
    return token;
  }

  /** After a response with this text: whether the token was refused, and the next call logs in again. */
  isRefused(message: string): boolean {
    if (!REFUSED_TOKEN.test(message)) return false;
    this.#token = null;
    return true;
  }

  #forget(token: Promise<string>): void {
    if (this.#token === token) this.#token = null;
  }
}

/**
 * Adds the token to each call of a gRPC client. Not by an interceptor: a call that ends before its interceptor starts
 * it, as by its deadline, never says so.
 */
export function tokenCredentials(login: EtcdLogin): CallCredentials {
  return credentials.createFromMetadataGenerator((_call, done) => {
    const token = login.token();
    if (token === null) {
      done(null, new Metadata());
      return;
    }
    token.then(
      (text) => done(null, tokenMetadata(text)),
      (cause: Error) => done(Object.assign(new Error(`no login at etcd: ${cause.message}`), REJECTED)),
    );
  });
}

const REJECTED = { code: status.UNAUTHENTICATED };

function tokenMetadata(token: string): Metadata {
  const metadata = new Metadata();
  metadata.set("token", token);
  return metadata;
}

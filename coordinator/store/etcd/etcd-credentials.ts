/**
 * The credentials of every connection to etcd, read again when their files change. A new connection and a new login
 * use what the files hold; an established connection stays until it breaks.
 */
import { rootCertificates } from "node:tls";
import type { Logger } from "@elastic/std/log.ts";
import { type ChannelCredentials, credentials, experimental } from "@grpc/grpc-js";
import type { EtcdAccess } from "../etcd-access.ts";
import { type EtcdFileContents, haveSameContents, readEtcdFiles } from "./etcd-files.ts";

/** Certificates last hours at least, and are replaced long before their end. */
const CHECK_EVERY_MS = 2000;

interface EtcdCredentialsOptions extends EtcdAccess {
  readonly log: Logger;
}

export interface TlsMaterial {
  readonly ca: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

type AuthorityListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

export class EtcdCredentials {
  readonly #options: EtcdCredentialsOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #authorityListeners = new Set<AuthorityListener>();
  readonly #identityListeners = new Set<IdentityListener>();
  #contents: EtcdFileContents;
  /** Why the files could not be read again, the last time; null where they could. */
  #complaint: string | null = null;

  /** Throws EtcdFileError where a file cannot be used. */
  constructor(options: EtcdCredentialsOptions) {
    this.#options = options;
    this.#contents = readEtcdFiles(options.files, new Date());
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  tls(): TlsMaterial {
    const { ca, identity } = this.#contents;
    return { ca: ca ?? Buffer.from(rootCertificates.join("\n")), ...(identity ?? {}) };
  }

  /** Null where no user is configured. */
  login(): { readonly name: string; readonly password: string } | null {
    const { user } = this.#options;
    const { password } = this.#contents;
    return user === null || password === null ? null : { name: user, password };
  }

  /** Of gRPC's channels: each of their connections uses the newest files. */
  ofChannels(): ChannelCredentials {
    const { cert } = this.tls();
    const provider: experimental.CertificateProvider = {
      addCaCertificateListener: (listener) => {
        this.#authorityListeners.add(listener);
        listener({ caCertificate: this.tls().ca });
      },
      removeCaCertificateListener: (listener) => void this.#authorityListeners.delete(listener),
      addIdentityCertificateListener: (listener) => {
        this.#identityListeners.add(listener);
        this.#publishIdentity([listener]);
      },
      removeIdentityCertificateListener: (listener) => void this.#identityListeners.delete(listener),
    };
    return experimental.createCertificateProviderChannelCredentials(provider, cert === undefined ? null : provider);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { files, log } = this.#options;
    try {
      const contents = readEtcdFiles(files, new Date());
      this.#complaint = null;
      if (haveSameContents(contents, this.#contents)) return;
      this.#contents = contents;
      for (const listener of this.#authorityListeners) listener({ caCertificate: this.tls().ca });
      this.#publishIdentity(this.#identityListeners);
      log.info("read the changed credentials for etcd; new connections use them");
    } catch (error) {
      // A certificate may have been replaced and its key not yet.
      const why = (error as Error).message;
      if (why !== this.#complaint) log.warn({ why }, "keeps its earlier credentials for etcd");
      this.#complaint = why;
    }
  }

  #publishIdentity(listeners: Iterable<IdentityListener>): void {
    const { identity } = this.#contents;
    if (identity === null) return;
    for (const listener of listeners) listener({ certificate: identity.cert, privateKey: identity.key });
  }
}

/** Of a channel to endpoints without TLS, or with what the files hold. */
export function channelCredentials(isSecure: boolean, files: EtcdCredentials): ChannelCredentials {
  return isSecure ? files.ofChannels() : credentials.createInsecure();
}

/** What the service requires of a host of repositories, whatever its API. All functions may throw a SourceHostError. */
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Instant } from "@elastic/std/clock.ts";
import type { CommitState } from "../domain/release.ts";
import type { SourceAccount } from "../domain/source-connection.ts";

export interface SourceRepository {
  readonly id: string;
  /** `owner/name` at this moment. */
  readonly fullName: string;
  readonly defaultBranch: string;
  readonly isPrivate: boolean;
  readonly isFork: boolean;
}

/** One repository, by what never changes, and what opens it. */
export interface RepositoryRef {
  readonly installationId: string;
  readonly repositoryId: string;
  /** Of the host's `grants`; null where the app's own tokens open the repository. */
  readonly credential: string | null;
}

export interface SourceCommit {
  /** 40 hexadecimal digits. */
  readonly commit: string;
  /** First line of its message. */
  readonly title: string;
  /** A name, as the commit has it. */
  readonly author: string;
}

/** Opens one repository to this service, until it expires. */
export interface RepositoryCredential {
  readonly secret: string;
  readonly expiresAt: Instant;
}

/** How a host without installations opens single repositories, each by a dedicated credential. */
export interface RepositoryGrants {
  /** By the authority of the user. Pushes to the repository are reported to `webhookUrl` from then on. */
  create(token: UserToken, repositoryId: string, webhookUrl: string): Promise<RepositoryCredential>;
  /** The next credential in place of this one, which is not valid from then on. */
  renew(repositoryId: string, secret: string): Promise<RepositoryCredential>;
  /** Nothing where it is not valid any more. */
  revoke(secret: string): Promise<void>;
}

/** Of a user, not of the app. */
export interface UserToken {
  readonly token: string;
  readonly expiresAt: Instant;
}

export interface ReadableInstallation {
  /** The account's, where the host has no installations. */
  readonly installationId: string;
  readonly account: SourceAccount;
  /** The ones pushed to last, at most as many as a connection has. */
  readonly repositories: readonly SourceRepository[];
  readonly omitted: number;
}

export interface CommitStatus {
  readonly state: CommitState;
  /** Null where this service has no public address. */
  readonly targetUrl: string | null;
  readonly description: string;
  /** Names the check next to others of the commit, such as `elastic/prover`. */
  readonly context: string;
}

export interface NewFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly content: Buffer;
  readonly isExecutable: boolean;
}

export interface NewRepository {
  readonly installationId: string;
  readonly account: SourceAccount;
  readonly name: string;
  /** What is pushed where the operator configured no template. */
  readonly files: readonly NewFile[];
}

export interface ArchiveLimits {
  /** Of the gzip-compressed tar file. */
  readonly bytesMax: number;
  readonly deadlineMs: number;
}

/** What a delivery of the host's webhook reports. Pushes are to branches of a repository that is no fork. */
export type SourceEvent =
  | {
      readonly kind: "push";
      /** Null where the host reports for the repository, whoever connected it. */
      readonly installationId: string | null;
      readonly repositoryId: string;
      readonly branch: string;
      readonly commit: string;
      /** By the host's clock, and signed; the time of receipt where the host states none. */
      readonly pushedAt: Instant;
    }
  | { readonly kind: "uninstalled" | "suspended" | "resumed"; readonly installationId: string }
  | {
      readonly kind: "repositories_removed";
      readonly installationId: string;
      readonly repositoryIds: readonly string[];
    };

export interface SourceDeliveryMessage {
  readonly deliveryId: string;
  /** By each of which a repetition is known. */
  readonly knownBy: readonly string[];
  /** Null for what changes nothing here. */
  readonly event: SourceEvent | null;
}

export interface LinkProofs {
  readonly state: string;
  /** Of PKCE. */
  readonly verifier: string;
}

export interface SourceHost {
  /** In settings, addresses and records. */
  readonly name: string;
  /** For a person. */
  readonly title: string;
  /** Base address of its pages, without a slash at the end. */
  readonly url: string;
  /** Null where the app itself has tokens for every repository of an installation. */
  readonly grants: RepositoryGrants | null;
  /** Where a user installs the app, chooses its repositories and authorizes it. Null where the host has no installations. */
  readonly installationUrl: ((proofs: LinkProofs) => Promise<URL>) | null;
  /** Where a user authorizes the app. */
  authorizationUrl(proofs: LinkProofs, redirectUri: string): Promise<URL>;
  /** `verifier` is null for a code that came by the installation's page. */
  redeemCode(code: string, redirectUri: string, verifier: string | null): Promise<UserToken>;
  /**
   * The installation as the user sees it: throws `not_listed` for one that the user has no access to. Null stands for the
   * user's own account, where the host has no installations.
   */
  readInstallation(token: UserToken, installationId: string | null): Promise<ReadableInstallation>;
  /** All that the app may read. `token` is that of the linking user while it is stored; only hosts with `grants` need it. */
  listRepositories(installationId: string, token: UserToken | null): Promise<readonly SourceRepository[]>;
  /** Throws for one that is not in the installation, or is a fork. */
  readRepository(ref: RepositoryRef): Promise<SourceRepository>;
  /** `ref` is read once. A commit has to be on `branch`. */
  resolveCommit(ref: RepositoryRef, branch: string, gitRef: string): Promise<SourceCommit>;
  /** A gzip-compressed tar file with one folder at its root. The stream fails with a SourceHostError. */
  openArchive(ref: RepositoryRef, commit: string, limits: ArchiveLimits): Promise<Readable>;
  setCommitStatus(ref: RepositoryRef, commit: string, status: CommitStatus): Promise<void>;
  /** A private repository, with its first files in the default branch. */
  createRepository(token: UserToken, wanted: NewRepository): Promise<SourceRepository>;
  /** Null where the signature is not that of the host. `body` is as it was received. */
  readDelivery(headers: IncomingHttpHeaders, body: Buffer): SourceDeliveryMessage | null;
}

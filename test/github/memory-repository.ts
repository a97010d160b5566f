/** A repository in memory: branches, commits with their files, and an archive of each. */
import { createHash } from "node:crypto";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

export interface RepositoryFile {
  readonly content: Buffer;
  readonly isExecutable: boolean;
}

export type Files = ReadonlyMap<string, RepositoryFile>;

export interface Commit {
  readonly sha: string;
  readonly message: string;
  readonly author: string;
  readonly files: Files;
  readonly parents: readonly string[];
}

/** Commits of a repository and of all its forks: GitHub finds each in all of them. */
export type Network = Map<string, Commit>;

export interface NewMemoryRepository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly isPrivate?: boolean;
  /** Whose fork it is. */
  readonly forkOf?: MemoryRepository;
}

export class MemoryRepository {
  readonly id: number;
  owner: string;
  name: string;
  readonly isPrivate: boolean;
  readonly isFork: boolean;
  readonly defaultBranch = "main";
  readonly network: Network;
  /** To commits. */
  readonly branches = new Map<string, string>();
  readonly tags = new Map<string, string>();
  readonly blobs = new Map<string, Buffer>();
  readonly trees = new Map<string, Files>();
  readonly statuses: {
    readonly sha: string;
    readonly state: string;
    readonly context: string;
    readonly target_url: string;
  }[] = [];
  /** Next to the owner. */
  readonly readers = new Set<string>();
  readonly writers = new Set<string>();
  pushedAt = 0;
  /** How often its commits are requested before a template has been copied. */
  readsUntilGenerated = 0;

  constructor({ id, owner, name, isPrivate = true, forkOf }: NewMemoryRepository) {
    this.id = id;
    this.owner = owner;
    this.name = name;
    this.isPrivate = isPrivate;
    this.isFork = forkOf !== undefined;
    this.network = forkOf?.network ?? new Map();
  }

  get fullName(): string {
    return `${this.owner}/${this.name}`;
  }

  commit(branch: string, files: Files, message: string, author = "ada"): Commit {
    const parent = this.branches.get(branch);
    const commit = this.addCommit(files, message, parent === undefined ? [] : [parent], author);
    this.branches.set(branch, commit.sha);
    return commit;
  }

  addCommit(files: Files, message: string, parents: readonly string[], author = "ada"): Commit {
    this.pushedAt += 1;
    const listed = [...files].map(([path, { content }]) => [path, content.toString("base64")]);
    const sha = sha1(JSON.stringify([this.id, this.pushedAt, message, parents, listed]));
    const commit = { sha, message, author, files, parents };
    this.network.set(sha, commit);
    return commit;
  }

  /** `heads/…`, `tags/…`, a commit of the network, or a branch. */
  find(ref: string): Commit | null {
    const named = /^(heads|tags)\/(.+)$/.exec(ref);
    const names = named?.[1] === "tags" ? this.tags : this.branches;
    const sha = named === null ? (this.branches.get(ref) ?? ref) : names.get(named[2] ?? "");
    return this.network.get(sha ?? "") ?? null;
  }

  /** Whether `sha` is one of the commits that led to the commit. */
  leadsTo(sha: string, { sha: last, parents }: Commit): boolean {
    if (sha === last) return true;
    return parents.some((parent) => {
      const commit = this.network.get(parent);
      return commit !== undefined && this.leadsTo(sha, commit);
    });
  }

  addBlob(content: Buffer): string {
    const sha = sha1(content.toString("base64"));
    this.blobs.set(sha, content);
    return sha;
  }

  addTree(files: Files): string {
    const sha = sha1(JSON.stringify([...files].map(([path, { content }]) => [path, content.toString("base64")])));
    this.trees.set(sha, files);
    return sha;
  }
}

/** As GitHub makes it: gzip-compressed, with one folder at its root. */
export function archiveOf({ owner, name }: MemoryRepository, { sha, files }: Commit): NodeJS.ReadableStream {
  const root = `${owner}-${name}-${sha.slice(0, 7)}`;
  const tar = pack();
  for (const [path, { content, isExecutable }] of files) {
    tar.entry({ name: `${root}/${path}`, mode: isExecutable ? 0o755 : 0o644, mtime: new Date(0) }, content);
  }
  tar.finalize();
  return tar.pipe(createGzip());
}

export function filesOf(texts: Readonly<Record<string, string>>): Files {
  return new Map(
    Object.entries(texts).map(([path, text]) => [path, { content: Buffer.from(text), isExecutable: false }]),
  );
}

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

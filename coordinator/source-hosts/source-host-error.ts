/** Why a request to a source host came to nothing: what happened and what to do about it, for a person. */

interface Failure {
  readonly what: string;
  readonly next: string;
}

/** `{host}` stands for the host's title. */
const FAILURES = {
  host_down: { what: "{host} does not respond.", next: "Try again in a few minutes." },
  host_invalid: {
    what: "{host} did not respond as documented.",
    next: "Try again later; if it persists, ask an operator.",
  },
  app_rejected: {
    what: "{host} rejected the credentials of this service's app.",
    next: "Ask an operator to check the app's settings.",
  },
  authorization_failed: { what: "{host} did not accept the authorization.", next: "Connect the account again." },
  authorization_needed: {
    what: "This needs a recent authorization at {host}.",
    next: "Authorize at {host} again; nothing has to be installed again.",
  },
  not_listed: {
    what: "Your account at {host} has no access to this account or installation.",
    next: "Connect an account of yours, or ask one of its members to connect it.",
  },
  no_permission: {
    what: "{host} did not permit this.",
    next: "Ask an owner of the account at {host} to grant the app's permissions, or choose another account.",
  },
  maintainer_needed: {
    what: "{host} did not issue an access token for the project.",
    next: "That takes the role Maintainer in the project, and a paid plan at gitlab.com: ask a maintainer to connect it.",
  },
  webhook_refused: {
    what: "{host} did not accept the webhook of this service.",
    next: "Ask an operator whether {host} can reach the public address of this service.",
  },
  revoked: {
    what: "The access was ended at {host}, or the connection was removed.",
    next: "Connect the account again.",
  },
  suspended: {
    what: "The app is suspended at {host}.",
    next: "Ask an owner of the account to unsuspend it at {host}.",
  },
  repository_gone: {
    what: "The repository is not accessible any more: it was deleted, transferred, or removed from the app.",
    next: "Add it to the app's repositories at {host} and connect the account again, or choose another repository.",
  },
  repository_not_linked: {
    what: "The repository is not one of this connection.",
    next: "Connect the account again with a user who may read the repository.",
  },
  repository_not_added: {
    what: "The repository was created, but not added to the connection.",
    next: "Add it to the app's repositories at {host} and connect the account again.",
  },
  repository_unfinished: {
    what: "The repository was created, but {host} failed before it had its files.",
    next: "Delete it at {host} and try again, or choose another name.",
  },
  repository_is_fork: {
    what: "The repository is a fork; forks are not built.",
    next: "Choose a repository that is no fork.",
  },
  ref_invalid: {
    what: "This is no branch, tag or commit.",
    next: "Name a branch, refs/tags/ and a tag, or a commit of 40 digits.",
  },
  ref_unknown: {
    what: "The branch, tag or commit is not in the repository; commits must be on the service's branch.",
    next: "Push it to the branch, or choose another one.",
  },
  archive_too_large: {
    what: "The source is larger than a build accepts.",
    next: "Remove large files from the repository.",
  },
  template_missing: {
    what: "This service has no template to create a repository from.",
    next: "Ask an operator to generate it, or connect a repository of your own.",
  },
  name_taken: { what: "The account has a repository of that name.", next: "Choose another name." },
  name_invalid: {
    what: "{host} does not accept this name.",
    next: "Use letters, digits, dashes, underscores and dots.",
  },
} as const satisfies Readonly<Record<string, Failure>>;

export type SourceHostErrorCode = keyof typeof FAILURES;
export const SOURCE_HOST_ERROR_CODES = Object.keys(FAILURES) as readonly SourceHostErrorCode[];

export class SourceHostError extends Error {
  override readonly name = "SourceHostError";
  readonly code: SourceHostErrorCode;

  constructor(code: SourceHostErrorCode, cause?: unknown) {
    super(code, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** One sentence with what happened, and one with a way on. */
export function sentencesOf(code: SourceHostErrorCode, hostTitle: string): string {
  const { what, next } = FAILURES[code];
  return `${what} ${next}`.replaceAll("{host}", hostTitle);
}

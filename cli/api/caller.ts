/** Who calls the service, and where it is. */

export interface Caller {
  readonly url: string;
  readonly apiKey: string;
  /** The team of lists and creations; none leaves it to the key. */
  readonly teamId: string | undefined;
  /** Authorities, in PEM, that are trusted in addition to the well-known ones. */
  readonly ca: string | undefined;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Whoever has no key yet. */
export interface KeylessCaller extends Omit<Caller, "apiKey"> {
  readonly apiKey: null;
}

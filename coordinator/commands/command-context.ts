/** What every command is given of the process it runs in. */

export interface CommandContext {
  /** Which command runs, such as `user create`. */
  command(): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command's output, on standard output. */
  print(text: string): void;
  /** How far it is, on standard error. */
  note(text: string): void;
  /** Says why in one line, and ends the process. */
  fail(reason: unknown): never;
  /** Ends the process. */
  done(): never;
}

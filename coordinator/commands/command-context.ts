/** What every command is given of the process it runs in. */

export interface CommandContext {
  /** Which command runs, such as `user create`. */
  command(): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command's output, on standard output. */
  print(text: string): void;
  /** The same for what may not be lost. Rejects with an OutputError where standard output does not accept all of it. */
  write(text: string): Promise<void>;
  /** A line of how it goes, on standard error. */
  progress(text: string): void;
  /** Says why in one line, and ends the process. */
  fail(reason: unknown): never;
  /** Ends the process. */
  done(): never;
}

/** A program that is to run on this machine: everything a start of it needs, and nothing that has happened yet. */
export interface Program {
  /** What it is called in messages and in the names of its files. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment: a child inherits nothing. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it runs; left out for the folder of its parent. */
  readonly cwd?: string;
  /** Where what it prints is appended. */
  readonly logFile: string;
}

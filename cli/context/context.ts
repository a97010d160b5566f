/** What every command is given: the world outside of it. */
import type { Readable } from "node:stream";
import type { Printer } from "../output/printer.ts";
import type { Settings } from "./config.ts";

export interface Context {
  readonly settings: Settings;
  /** The directory that `service create` links. */
  readonly directory: string;
  readonly stdin: Readable;
  /** Whether a user can respond to a prompt. */
  readonly interactive: boolean;
  readonly printer: Printer;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

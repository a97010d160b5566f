/** Where backups are: a directory, or a prefix of a bucket. */
import type { Readable } from "node:stream";

export interface BackupPlace {
  /** For messages. */
  readonly description: string;
  /** Durable when it resolves, and there completely or not at all. */
  write(name: string, file: Readable): Promise<void>;
  /** Null where there is none. */
  read(name: string): Promise<Readable | null>;
  list(): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
  close(): void;
}

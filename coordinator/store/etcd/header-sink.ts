/** Where the headers of responses go that nobody waits for: those of watches and leases. */
import type { StoreHeader } from "../identity/judge-response.ts";

export interface HeaderSink {
  /** The highest revision known. */
  revision(): number;
  /** Of a response to what was sent when `since` was the revision. */
  received(header: StoreHeader, since: number): void;
}

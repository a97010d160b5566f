/** What the parts of a coordinator are built from: made once by serve.ts. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Archive } from "../archive/archive.ts";
import type { TaskHistory } from "../archive/task-history.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { GuardedClock } from "../clocks/guarded-clock.ts";
import type { Clocks } from "../clocks/start-clocks.ts";
import type { Config } from "../config/config.ts";
import type { Contacts } from "../contacts/contacts.ts";
import type { Egress } from "../egress/egress.ts";
import type { LiveAuthority } from "../enrollment/live-authority.ts";
import type { Fleet } from "../fleet/fleet-server.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { ProgressBoard } from "../progress/progress-board.ts";
import type { StartBoard } from "../progress/start-board.ts";
import type { OwnRegistry } from "../registry/own-registry.ts";
import type { ResolveImage } from "../registry/resolve-image.ts";
import type { LiveSecrets } from "../secrets/live-secrets.ts";
import type { SourceHost } from "../source-hosts/source-host.ts";
import type { StoreIdentity } from "../store/identity/store-identity.ts";
import type { Kv } from "../store/kv.ts";
import type { Leadership } from "../store/leadership.ts";
import type { Store } from "../store/store.ts";
import type { FollowedLogs } from "../task-logs/followed-logs.ts";

/** What the parts share. */
export interface SharedParts {
  /** Of this start of the program; the coordinator's id where agents link to it. */
  readonly processId: string;
  readonly storeIsFull: () => boolean;
  readonly storeIsNearlyFull: () => boolean;
  readonly storeIdentity: StoreIdentity;
  /** When an operator last accepted a state of etcd that was put back; null for never. */
  readonly storeAcceptedAt: Instant | null;
  readonly config: Config;
  readonly kv: Kv;
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly logs: FollowedLogs;
  readonly progress: ProgressBoard;
  readonly starts: StartBoard;
  readonly secrets: LiveSecrets;
  readonly registry: OwnRegistry | null;
  readonly resolveImage: ResolveImage;
  readonly sourceHosts: readonly SourceHost[];
  readonly egress: Egress;
  readonly clock: GuardedClock;
  readonly clocks: Clocks;
  readonly metrics: Metrics;
  readonly log: Logger;
}

export interface PartsWithHistory extends SharedParts {
  readonly archive: Archive;
  readonly history: TaskHistory;
  /** The store with what has moved to the archive: for readers of single tasks. */
  readonly readable: Store;
}

export interface Linked {
  /** Where agents reach it. */
  readonly grpc: string;
  /** Where machines are enrolled; null where they are not. */
  readonly enroll: string | null;
  readonly fleet: Fleet;
  readonly contacts: Contacts;
  readonly leadership: Leadership;
  /** Null where certificates are of another authority. */
  readonly authority: LiveAuthority | null;
}

/** Of what a process logs, by the part that logs it. */
export function part(log: Logger, name: string): Logger {
  return log.child({ part: name });
}

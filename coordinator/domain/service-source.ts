/** Where a service is built from: a branch of one repository, by ids that the host never changes. */
import type { Instant } from "@elastic/std/clock.ts";

export interface ServiceSource {
  /** That of the service. */
  readonly id: string;
  readonly teamId: string;
  readonly connectionId: string;
  /** Those of the connection. */
  readonly host: string;
  readonly installationId: string;
  readonly repositoryId: string;
  /** `owner/name` when it was set, for people. */
  readonly repositoryName: string;
  readonly branch: string;
  /** Whether a push to the branch starts a build. */
  readonly deployOnPush: boolean;
  /** Folder of the repository that is built; empty for all of it. */
  readonly baseDir: string;
  readonly userId: string;
  readonly setAt: Instant;
}

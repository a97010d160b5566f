/** What one member of etcd reports about itself. */
export interface MemberStatus {
  readonly version: string;
  readonly isLeader: boolean;
  readonly hasLeader: boolean;
  readonly sizeBytes: number;
  readonly quotaBytes: number;
  readonly revision: number;
  readonly compactedRevision: number;
  /** To the second; null where it is not reported. */
  readonly clockMs: number | null;
  /** When its certificate ends; null without TLS. */
  readonly certificateEnds: Date | null;
}

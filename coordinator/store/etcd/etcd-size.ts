/** How large etcd's database is, by the member that responds. The members of a cluster hold the same data. */
import { MaintenanceService } from "@elastic/proto/gen/etcd/maintenance.ts";
import type { StoreSize } from "../nearly-full.ts";
import { UnaryChannel } from "./unary-channel.ts";

const TIMEOUT_MS = 2000;
const ANSWER_BYTES_MAX = 64 * 1024;

export interface EtcdSizeOptions {
  /** `http://<host>:<port>`, one for each member. */
  readonly endpoints: readonly string[];
  /** Of an etcd that does not report its own: one older than 3.6. */
  readonly quotaBytes: number;
}

/** Over a dedicated connection, since a call that takes too long ends the connection for the others on it. */
export class EtcdSize {
  readonly #channel: UnaryChannel;
  readonly #quotaBytes: number;

  constructor({ endpoints, quotaBytes }: EtcdSizeOptions) {
    this.#channel = new UnaryChannel({ endpoints, timeoutMs: TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX });
    this.#quotaBytes = quotaBytes;
  }

  /** Rejects where no member responds. */
  async measure(): Promise<StoreSize> {
    const { dbSizeInUse, dbSizeQuota } = await this.#channel.call(MaintenanceService.status, {});
    const reported = Number(dbSizeQuota);
    // Negative where etcd was started without a quota.
    const quotaBytes = reported === 0 ? this.#quotaBytes : Math.max(0, reported);
    return { inUseBytes: Number(dbSizeInUse), quotaBytes };
  }

  close(): void {
    this.#channel.close();
  }
}

/** How large etcd's database is, by the member that responds. The members of a cluster hold the same data. */
import { MaintenanceService } from "@elastic/proto/gen/etcd/maintenance.ts";
import type { StoreSize } from "../nearly-full.ts";
import { connectClients, type EtcdClients } from "./etcd-clients.ts";
import type { EtcdCredentials } from "./etcd-credentials.ts";

export interface EtcdSizeOptions {
  /** `http://<host>:<port>` or `https://<host>:<port>`, one for each member. */
  readonly endpoints: readonly string[];
  /** Stopped when this is closed. */
  readonly credentials: EtcdCredentials;
  /** Of an etcd that does not report its own: one older than 3.6. */
  readonly quotaBytes: number;
}

/** Over a dedicated connection, since a call that takes too long ends the connection for the others on it. */
export class EtcdSize {
  readonly #clients: EtcdClients;
  readonly #quotaBytes: number;

  constructor({ endpoints, credentials, quotaBytes }: EtcdSizeOptions) {
    this.#clients = connectClients(endpoints, credentials);
    this.#quotaBytes = quotaBytes;
  }

  /** Rejects where no member responds. */
  async measure(): Promise<StoreSize> {
    const { dbSizeInUse, dbSizeQuota } = await this.#clients.transactions.call(MaintenanceService.status, {});
    const reported = Number(dbSizeQuota);
    // Negative where etcd was started without a quota.
    const quotaBytes = reported === 0 ? this.#quotaBytes : Math.max(0, reported);
    return { inUseBytes: Number(dbSizeInUse), quotaBytes };
  }

  close(): void {
    this.#clients.close();
  }
}

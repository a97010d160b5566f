/** What a push to the branch of a service starts. */
import type { Service } from "../domain/service.ts";
import type { ServiceSource } from "../domain/service-source.ts";

export interface Push {
  readonly service: Service;
  readonly source: ServiceSource;
  /** 40 hexadecimal digits; on the branch when the host sent it. */
  readonly commit: string;
  /** `refs/heads/` and the branch. */
  readonly ref: string;
  /** Of the host. */
  readonly deliveryId: string;
}

/** Called once for a delivery and service. Where it throws, the host gets a failure in response and may redeliver. */
export type OnPush = (push: Push) => Promise<void>;

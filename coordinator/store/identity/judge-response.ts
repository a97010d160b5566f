/**
 * What the header of a response shows about the store: whether it is the one that is known. Pure.
 *
 * Responses of concurrent requests arrive in any order, and members lag: a revision lower than one that is known means
 * nothing on its own. A response is compared with what was known when its request was sent (`since`), and even then it is
 * only a reason to check: old members have served linearizable reads from before a pause. What decides is a response
 * that went through consensus.
 */

/** As etcd sends it with every response. */
export interface StoreHeader {
  /** Empty where there was no header. */
  readonly clusterId: string;
  readonly revision: number;
}

export interface StoreResponse extends StoreHeader {
  /** The highest revision that was known when the request was sent. */
  readonly since: number;
  /** Whether it went through consensus, so that no member that lags could give it. */
  readonly isDecisive: boolean;
}

export type Verdict = "ok" | "check" | "stepped back" | "other cluster";

/** `known` is null until the first response. */
export function judgeResponse(known: StoreHeader | null, response: StoreResponse): Verdict {
  if (response.clusterId === "") return "ok";
  if (known !== null && response.clusterId !== known.clusterId) return "other cluster";
  if (response.revision >= response.since) return "ok";
  return response.isDecisive ? "stepped back" : "check";
}

/** What is known after a response that is `ok`. */
export function learn(known: StoreHeader | null, { clusterId, revision }: StoreHeader): StoreHeader | null {
  if (clusterId === "" || (known !== null && known.revision >= revision)) return known;
  return { clusterId, revision };
}

/**
 * What the header of an answer says about the store: whether it is the one that is known. Pure.
 *
 * Answers of concurrent requests arrive in any order, and members lag: a revision lower than one that is known means
 * nothing on its own. An answer is compared with what was known when its request was sent (`since`), and even then it is
 * only a reason to check: old members have answered linearizable reads from before a pause. What decides is an answer
 * that went through consensus.
 */

/** As etcd sends it with every answer. */
export interface StoreHeader {
  /** Empty where there was no header. */
  readonly clusterId: string;
  readonly revision: number;
}

export interface Answer extends StoreHeader {
  /** The highest revision that was known when the request was sent. */
  readonly since: number;
  /** Whether it went through consensus, so that no member that lags could give it. */
  readonly isDecisive: boolean;
}

export type Verdict = "ok" | "check" | "stepped back" | "other cluster";

/** `known` is null until the first answer. */
export function judgeAnswer(known: StoreHeader | null, answer: Answer): Verdict {
  if (answer.clusterId === "") return "ok";
  if (known !== null && answer.clusterId !== known.clusterId) return "other cluster";
  if (answer.revision >= answer.since) return "ok";
  return answer.isDecisive ? "stepped back" : "check";
}

/** What is known after an answer that is `ok`. */
export function learn(known: StoreHeader | null, { clusterId, revision }: StoreHeader): StoreHeader | null {
  if (clusterId === "" || (known !== null && known.revision >= revision)) return known;
  return { clusterId, revision };
}

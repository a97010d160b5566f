/** Polls a prover for the progress of its task, for as long as it responds. */
import type { Dispatcher } from "undici";
import type { Progress } from "../../domain/driver.ts";
import { readAtMost } from "./health.ts";

/** As the SDK documents it. */
const PACE: Pace = { everyMs: 1_000, respondWithinMs: 2_000 };
const BODY_BYTES_MAX = 16 * 1024;
/** A prover that does nothing else while it proves responds to no request. */
const UNANSWERED_MAX = 3;
/** The SDK's word for a proof that has not reported anything yet. */
const NOTHING_YET = "no_progress";

export interface ProgressQuestions {
  /** Whether the prover works for this call alone: of several it is unknown whose progress it is. */
  readonly alone: () => boolean;
  readonly onProgress: (progress: Progress) => void;
  /** The call is over. */
  readonly over: AbortSignal;
}

export interface Pace {
  /** From a response to the next request. */
  readonly everyMs: number;
  readonly respondWithinMs: number;
}

type Answer = Progress | "nothing yet" | "never" | "unanswered";

export function pollProgress(
  prover: Dispatcher,
  { alone, onProgress, over }: ProgressQuestions,
  { everyMs, respondWithinMs }: Pace = PACE,
): void {
  let failures = 0;
  let timer: NodeJS.Timeout;
  const poll = async (): Promise<void> => {
    const answer = alone() ? await question(prover, over, respondWithinMs) : "nothing yet";
    if (over.aborted || answer === "never") return;
    failures = answer === "unanswered" ? failures + 1 : 0;
    if (failures >= UNANSWERED_MAX) return;
    if (typeof answer === "object" && alone()) onProgress(answer);
    pollAgain();
  };
  const pollAgain = (): void => {
    timer = setTimeout(() => void poll(), everyMs);
  };
  pollAgain();
  over.addEventListener("abort", () => clearTimeout(timer), { once: true });
}

async function question(prover: Dispatcher, over: AbortSignal, respondWithinMs: number): Promise<Answer> {
  const signal = AbortSignal.any([over, AbortSignal.timeout(respondWithinMs)]);
  try {
    const answer = await prover.request({ method: "GET", path: "/progress", signal });
    const body = await readAtMost(answer.body, BODY_BYTES_MAX);
    return answer.statusCode === 200 ? progressOf(body) : refusalOf(body);
  } catch {
    return "unanswered";
  }
}

function progressOf(body: Buffer): Answer {
  const said = parse(body);
  const { fraction, message } = said ?? {};
  if (typeof fraction !== "number" || !Number.isFinite(fraction)) return "never";
  return { fraction: Math.min(1, Math.max(0, fraction)), message: typeof message === "string" ? message : "" };
}

/** Images of the original have no such route. */
function refusalOf(body: Buffer): Answer {
  return parse(body)?.code === NOTHING_YET ? "nothing yet" : "never";
}

function parse(body: Buffer): { readonly [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

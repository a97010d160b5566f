/** What a verifier's response says. Decides and does nothing. */
import { hasRepeatedMember } from "@elastic/std/json/repeated-member.ts";

export type Verdict =
  | { readonly kind: "accepted" }
  /** `message` is the verifier's own, or null. */
  | { readonly kind: "rejected"; readonly message: string | null }
  /** It did not say: the machinery's trouble, not the proof's. */
  | {
      readonly kind: "none";
      readonly message: string;
      readonly exitCode: number | null;
      readonly logTail: string;
    };

const MESSAGE_CHARS_MAX = 500;

/** The response is `{"valid": true|false}`, and may also have a `message`. */
export function readVerdict(answer: Buffer): Verdict {
  const parsed = parse(answer);
  const { valid, message } = isObject(parsed) ? parsed : {};
  if (valid === true) return { kind: "accepted" };
  if (valid === false) {
    const words = typeof message === "string" && message !== "" ? message.slice(0, MESSAGE_CHARS_MAX) : null;
    return { kind: "rejected", message: words?.toWellFormed() ?? null };
  }
  return noVerdict('it returned something other than {"valid": true} or {"valid": false}');
}

export function noVerdict(why: string, detail: { exitCode?: number | null; logTail?: string } = {}): Verdict {
  const message = `the verifier did not say whether the proof is valid: ${why}`;
  return { kind: "none", message, exitCode: detail.exitCode ?? null, logTail: detail.logTail ?? "" };
}

/** One that says a thing twice has said nothing: readers differ in which of the two they believe. */
function parse(answer: Buffer): unknown {
  try {
    const text = answer.toString("utf8");
    const said: unknown = JSON.parse(text);
    return hasRepeatedMember(text, said) ? undefined : said;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * States are spelled once for each audience: the domain's in lower case everywhere inside, the public ones of tasks
 * and services only where JSON is written or read.
 */
import { at, type SourceFile } from "./source-files.ts";

interface SpellingRule {
  readonly literal: RegExp;
  readonly in: RegExp;
  readonly except: RegExp;
  readonly because: string;
}

const NOT_PUBLIC = "public spellings live in coordinator/public";

/** States of the Pods and nodes of Kubernetes, as its API has them. */
const KUBERNETES = /^agent\/workloads\/kubernetes\//;

const SPELLING_RULES: readonly SpellingRule[] = [
  {
    literal: /"(PENDING|SUCCESS|FAILURE)"/,
    in: /^(coordinator|agent|std)\/.*\.ts$/,
    except: /^coordinator\/public\/|\.test\.ts$/,
    because: NOT_PUBLIC,
  },
  {
    literal: /"(Unready|Ready|Failed|Deleted|READY|UNREADY)"/,
    in: /^(coordinator|agent|std)\/.*\.ts$/,
    except: /^coordinator\/public\/|\.test\.ts$/,
    because: NOT_PUBLIC,
  },
  {
    literal: /"(QUEUED|RUNNING|SUCCEEDED|CANCELLED|TIMED_OUT|EXPIRED|canceled|Succeeded|timedOut|timed-out)"/,
    in: /^(coordinator|agent|std|cli)\/.*\.ts$/,
    except: /^proto\/|\.test\.ts$/,
    because: "phases are queued, running, succeeded, failed, cancelled, timed_out, expired",
  },
];

export function misspelledStates(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) =>
    SPELLING_RULES.filter((rule) => isSubject(rule, file)).flatMap((rule) => {
      const found = rule.literal.exec(file.text);
      return found === null ? [] : [at(file, found.index, `${found[0]}: ${rule.because}`)];
    }),
  );
}

function isSubject({ in: places, except }: SpellingRule, { path }: SourceFile): boolean {
  return places.test(path) && !except.test(path) && !KUBERNETES.test(path);
}

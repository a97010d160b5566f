/** Words that no text of this repository has. Each row names what to do instead. */
import { at, type SourceFile } from "./source-files.ts";

export interface WordRule {
  readonly word: RegExp;
  /** Files that the rule is about. */
  readonly in: RegExp;
  /** Of those, the ones that may. */
  readonly except?: RegExp;
  readonly instead: string;
}

const CODE = /\.(ts|mjs|rs|go|sh|proto|c|cc|h|cu|cuh|py)$/;
const TYPESCRIPT = /\.ts$/;
const TESTS = /\.test\.ts$|\.contract\.ts$/;
/** The files that hold these rules and their planted violations. */
const RULES = /^test\/house-rules\//;

const WORD_RULES: readonly WordRule[] = [
  { word: /\b(TODO|FIXME|XXX|HACK)\b/, in: /./, instead: "finish it, or write down in docs/ what is open" },
  { word: /\b(todo|unimplemented)!\(/, in: /\.rs$/, instead: "finish it" },
  { word: /\b(describe|test|it)\.only\(/, in: TYPESCRIPT, instead: "run one test by its name on the command line" },
  {
    word: /\b(describe|test|it)\.(skip|todo|fails)\(|\b(describe|test|it)\.(skipIf|runIf)\((?!noEngine !== null\))/,
    in: TYPESCRIPT,
    instead: "a test runs or is deleted; only the want of a container engine may skip one: skipIf(noEngine !== null)",
  },
  { word: /@ts-ignore|@ts-nocheck|@ts-expect-error/, in: TYPESCRIPT, instead: "make the types say it" },
  { word: /\bas any[;,)]|: any( =|[;,)])|<any>|\bany\[\]/, in: TYPESCRIPT, instead: "unknown, and a check" },
  { word: /^export default\b/m, in: TYPESCRIPT, except: /\.config\.ts$/, instead: "a named export" },
  {
    word: /^export \* from|^export \{[^}]*\} from/m,
    in: TYPESCRIPT,
    // What a published package exports is stated in one file.
    except: /^clients\/typescript\/elastic-client\.ts$/,
    instead: "import from where it is defined",
  },
  { word: /\benum [A-Z]\w* \{|\bnamespace \w+ \{/, in: TYPESCRIPT, instead: "a union of literals, a module" },
  {
    word: /\bsetTimeout\b[^}]*\} from "node:timers\/promises"|\bsetTimeout\(r\w*, /,
    in: TESTS,
    instead: "wait for a value (expect.poll, until), never for time",
  },
  { word: /\bvi\.mock\(|\bjest\.mock\(/, in: TYPESCRIPT, instead: "hand the part in, and use the real one" },
  {
    word: /(?<![\w./])\/(home\/\w|root|Users)\//,
    in: /./,
    instead: "a path relative to the repository or found at run time",
  },
  {
    word: /\bissue #?\d|\(#\d+\)/i,
    in: /./,
    instead: "the reason itself: readers have this repository only",
  },
  {
    word: /\bconsole\.(log|error|warn|debug)\(/,
    in: /^(std|coordinator|agent)\/.*(?<!main)\.ts$/,
    instead: "the logger",
  },
  {
    word: /\bprocess\.env\b/,
    in: /^(std|proto|coordinator|agent|cli|deploy|test)\/.*\.ts$/,
    except: /(^|\/)(main|config|run|check|generate|machine)\.ts$|\.test\.ts$|\/testing\/|^agent\/kernels\//,
    instead: "an argument: only main.ts and config.ts read the environment",
  },
  {
    word: /\bDate\.now\(|\bMath\.random\(|\brandomUUID\(|\bperformance\.now\(|\bnew Date\(\)/,
    in: /^coordinator\/(domain|scheduler)\/.*\.ts$/,
    except: /\.test\.ts$|-loop\.ts$|\/testing\//,
    instead: "an argument: decisions are pure",
  },
  {
    word: /\breplace\("tasks"/,
    in: /^coordinator\/.*\.ts$/,
    except: /^coordinator\/(store\/task-end|scheduler\/act\/claim-queued-tasks)\.ts$|\.test\.ts$|\/testing\//,
    instead: "taskChanges of store/task-end.ts: the commit that ends a task also creates its deliveries",
  },
  { word: /[ \t]+$/m, in: CODE, instead: "nothing: trailing white space" },
];

export function forbiddenWords(
  files: readonly SourceFile[],
  rules: readonly WordRule[] = WORD_RULES,
): readonly string[] {
  return files.flatMap((file) =>
    RULES.test(file.path)
      ? []
      : rules
          .filter((rule) => rule.in.test(file.path) && !(rule.except?.test(file.path) ?? false))
          .flatMap((rule) => {
            const found = rule.word.exec(file.text);
            return found === null
              ? []
              : [at(file, found.index, `${JSON.stringify(found[0])}; instead: ${rule.instead}`)];
          }),
  );
}

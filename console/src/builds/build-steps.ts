/**
 * The log of a build, taken apart into its steps. BuildKit's plain progress begins each line with the number of its step:
 * `#4 [build 2/7] RUN cargo build`, `#4 1.05 a line that it wrote`, `#4 DONE 2.1s`. Pure.
 */

export interface BuildStep {
  /** Null for what is of no step. */
  readonly number: number | null;
  readonly name: string;
  readonly state: "running" | "done" | "cached" | "failed";
  /** As BuildKit says it; null while it runs, and for a step from the cache. */
  readonly seconds: number | null;
  readonly lines: readonly string[];
  /** Lines that are left out at its beginning. */
  readonly cut: number;
}

/** Of one step. */
const LINES_MAX = 2_000;
const OF_STEP = /^#(\d{1,6}) (.*)$/;
const OUTPUT = /^\d+\.\d+ (.*)$/;
const DONE = /^DONE (\d+(?:\.\d+)?)s$/;

interface GrowingStep {
  number: number | null;
  name: string;
  state: BuildStep["state"];
  seconds: number | null;
  lines: string[];
  cut: number;
}

export class BuildSteps {
  readonly #steps: GrowingStep[] = [];
  readonly #byNumber = new Map<number, GrowingStep>();
  #rest = "";

  /** Text as it comes, cut anywhere. */
  add(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#addLine(line);
  }

  /** In the order in which they began. */
  steps(): readonly BuildStep[] {
    return this.#steps.map((step) => ({ ...step, lines: [...step.lines] }));
  }

  #addLine(line: string): void {
    const [, digits, text = ""] = OF_STEP.exec(line) ?? [];
    if (digits !== undefined) this.#addToStep(Number(digits), text);
    else if (line !== "") addTo(this.#between(), line);
  }

  #addToStep(number: number, text: string): void {
    const step = this.#byNumber.get(number);
    if (step === undefined) {
      const begun: GrowingStep = { number, name: text, state: "running", seconds: null, lines: [], cut: 0 };
      this.#byNumber.set(number, begun);
      this.#steps.push(begun);
      return;
    }
    const seconds = DONE.exec(text)?.[1];
    if (seconds !== undefined) {
      step.seconds = Number(seconds);
      if (step.state === "running") step.state = "done";
    } else if (text === "CACHED") step.state = "cached";
    else {
      if (text.startsWith("ERROR: ")) step.state = "failed";
      addTo(step, OUTPUT.exec(text)?.[1] ?? text);
    }
  }

  /** What comes between steps stays in its place. */
  #between(): GrowingStep {
    const last = this.#steps.at(-1);
    if (last?.number === null) return last;
    const between: GrowingStep = { number: null, name: "", state: "done", seconds: null, lines: [], cut: 0 };
    this.#steps.push(between);
    return between;
  }
}

function addTo(step: GrowingStep, line: string): void {
  step.lines.push(line);
  if (step.lines.length <= LINES_MAX) return;
  step.lines.shift();
  step.cut += 1;
}

/** The steps that have a text, each with its lines that have it; a step whose name has it keeps all of its lines. */
export function matchingSteps(steps: readonly BuildStep[], search: string): readonly BuildStep[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return steps;
  const has = (text: string) => text.toLowerCase().includes(wanted);
  return steps.flatMap((step) => {
    if (has(step.name)) return [step];
    const lines = step.lines.filter(has);
    return lines.length === 0 ? [] : [{ ...step, lines }];
  });
}

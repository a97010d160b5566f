/** Everything the command says: results on stdout, as text or JSON; all else on stderr. */
import { once } from "node:events";
import type { Writable } from "node:stream";
import { createColors } from "picocolors";
import type { CliError } from "../errors/cli-error.ts";
import { printableJson, printableLine } from "./printable.ts";

export type Format = "text" | "json";

export class Printer {
  readonly #stdout: Writable;
  readonly #stderr: Writable;
  readonly #redraws: boolean;
  readonly colors: ReturnType<typeof createColors>;
  #format: Format = "text";
  #stage: string | null = null;
  #blockLines = 0;

  constructor(streams: { stdout: Writable; stderr: Writable; color: boolean; redraws: boolean }) {
    this.#stdout = streams.stdout;
    this.#stderr = streams.stderr;
    this.#redraws = streams.redraws;
    this.colors = createColors(streams.color);
  }

  /** Chosen once, before the command acts. */
  useFormat(format: Format): void {
    this.#format = format;
  }

  /** The command's result: `json` for programs, `text` for people. */
  result(result: { readonly json: unknown; readonly text: string }): void {
    this.#endProgress();
    this.#stdout.write(`${this.#format === "json" ? printableJson(result.json) : result.text}\n`);
  }

  /** A part of a result that comes little by little, as it is. Resolves once more may come. */
  async stream(part: string | Uint8Array): Promise<void> {
    if (part.length === 0) return;
    this.#endProgress();
    if (!this.#stdout.write(part)) await once(this.#stdout, "drain");
  }

  /** A remark for people; programs do not see it. */
  note(text: string): void {
    if (this.#format === "json") return;
    this.#endProgress();
    this.#stderr.write(`${printableLine(text)}\n`);
  }

  /** What was begun, before it is waited for: on stderr for programs too, as one line of JSON. */
  begun(begun: { readonly json: unknown; readonly text: string }): void {
    if (this.#format === "json") this.#stderr.write(`${printableJson(begun.json, 0)}\n`);
    else this.note(begun.text);
  }

  /** What a prompt draws on. */
  get promptOutput(): Writable {
    return this.#stderr;
  }

  /** How a wait goes: one line that is overwritten on a terminal, else a line for each new stage. */
  progress(stage: string, seconds: number): void {
    if (this.#format === "json") return;
    if (this.#redraws) this.#stderr.write(`\r\u001b[K${printableLine(stage)} (${seconds} s)`);
    else if (stage !== this.#stage) this.#stderr.write(`${printableLine(stage)}\n`);
    this.#stage = stage;
  }

  /** Whether what was said can be overwritten. */
  get redraws(): boolean {
    return this.#redraws;
  }

  /** Several lines that overwrite those of the last call; only where `redraws`. */
  block(lines: readonly string[]): void {
    if (this.#format === "json" || !this.#redraws) return;
    const up = this.#blockLines === 0 ? "" : `\u001b[${this.#blockLines}A`;
    const width = Math.max(20, this.#columns() - 1);
    const text = lines.map((line) => `${printableLine(line).slice(0, width)}\u001b[K\n`).join("");
    this.#stderr.write(`${up}\r${text}\u001b[J`);
    this.#blockLines = lines.length;
  }

  #columns(): number {
    const { columns } = this.#stderr as { readonly columns?: number };
    return columns ?? 80;
  }

  #endProgress(): void {
    if (this.#redraws && this.#stage !== null) this.#stderr.write("\n");
    this.#stage = null;
    this.#blockLines = 0;
  }

  error(error: CliError): void {
    this.#endProgress();
    if (this.#format === "json") {
      const { code, message, next = null, requestId = null, exitCode, output } = error;
      const lines = output.length === 0 ? {} : { output };
      const body = { error: { code, message, next, request_id: requestId, exit_code: exitCode, ...lines } };
      this.#stderr.write(`${printableJson(body)}\n`);
      return;
    }
    const request = error.requestId === undefined ? "" : ` (request id ${error.requestId})`;
    this.#stderr.write(`${this.colors.red("error:")} ${printableLine(error.message + request)}\n`);
    if (error.next !== undefined) this.#stderr.write(`${printableLine(error.next)}\n`);
  }
}

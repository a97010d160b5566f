/** What the terminals of a login show of what is to come: the end of the run, and what an operator does to the machine. */
import type { Clock } from "@elastic/std/clock.ts";
import { SHELL_USE_WRITTEN_EVERY_MS, SHELL_WARNING_MS } from "../domain/shell.ts";
import { type ComingEnd, notice } from "../domain/shell-login.ts";
import type { LoginShell } from "./shell-directory.ts";

/** On a separate line of a terminal, wherever its cursor is. */
export function noticeLine(text: string): string {
  return `\r\n\x07elastic: ${text}\r\n`;
}

export class ShellNotices {
  readonly #clock: Clock;
  #shownEnd: ComingEnd | null = null;
  #shownNotice: string | null = null;
  #movedBytes = 0;
  #movedAtMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#movedAtMs = clock.monotonicMs();
  }

  /** `movedBytes` counts both ways since the login; `show` returns false while there is no terminal to show a line on. */
  review(shell: Pick<LoginShell, "end" | "notice"> | null, movedBytes: number, show: (text: string) => boolean): void {
    this.#warn(shell?.end ?? null, movedBytes, show);
    this.#inform(shell?.notice ?? null, show);
  }

  /** Once for each end, as soon as there is a terminal to show it on, and again when the end was put off meanwhile. */
  #warn(end: ComingEnd | null, movedBytes: number, show: (text: string) => boolean): void {
    if (movedBytes !== this.#movedBytes) {
      this.#movedBytes = movedBytes;
      this.#movedAtMs = this.#clock.monotonicMs();
    }
    // What was done a moment ago is yet to be written.
    const isBusy = this.#clock.monotonicMs() - this.#movedAtMs < 2 * SHELL_USE_WRITTEN_EVERY_MS;
    if (end?.cause === "idle" && isBusy) return;
    const text = notice(end, this.#shownEnd, { now: this.#clock.now(), warningMs: SHELL_WARNING_MS });
    if (text !== null && show(text)) this.#shownEnd = end;
  }

  /** Once, and as soon as there is a terminal to show it on. */
  #inform(text: string | null, show: (text: string) => boolean): void {
    if (text === this.#shownNotice) return;
    if (text === null || show(text)) this.#shownNotice = text;
  }
}

/** What is wrong with this machine's clock and what to do, for operators: in the log, in `/readyz` and in `doctor`. */
import type { ClockVerdict } from "./judge-clocks.ts";

/** Null where nothing is wrong. */
export function describeClock({ standing, offsetMs, known, agreeing }: ClockVerdict): string | null {
  if (standing === "off") {
    return (
      `the clock of this machine is ${secondsOff(offsetMs)} most of the ${known} known clocks: the coordinator goes by ` +
      "theirs, and does not lead while another can. Synchronize this machine's clock (chronyc tracking, timedatectl)"
    );
  }
  if (standing !== "no_majority") return null;
  const finding =
    known === 1
      ? `the clock of this machine was set, it is ${secondsOff(offsetMs)} what it was, and no other clock is known`
      : `of ${known} known clocks only ${agreeing} are within 2 s of each other, and this machine's is ` +
        `${secondsOff(offsetMs)} their median`;
  return (
    `${finding}: the coordinator continues with the time it had, and removes nothing for its age. ` +
    "Synchronize the clocks of all coordinators and agents, or restart this coordinator if its machine's clock is right"
  );
}

function secondsOff(ms: number): string {
  return `${(Math.abs(ms) / 1000).toFixed(1)} s ${ms < 0 ? "behind" : "ahead of"}`;
}

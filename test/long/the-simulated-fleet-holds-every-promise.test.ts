/** Some minutes of seeds of the simulation, others in each run. What fails is shown as the line that replays it. */
import { expect, test } from "vitest";
import { replayLine } from "../simulation/command-line.ts";
import { runSchedule } from "../simulation/run-schedule.ts";
import { drawSchedule } from "../simulation/schedule.ts";

const MINUTES = 6;
const LENGTHS_S = [30, 60, 120, 300];

test(`holds every promise under the faults of ${MINUTES} minutes of seeds`, async () => {
  const endsAtMs = performance.now() + 60_000 * MINUTES;
  let seed = 1 + Math.floor(Date.now() / 1_000);
  for (; performance.now() < endsAtMs; seed++) {
    const seconds = LENGTHS_S[seed % LENGTHS_S.length] ?? 60;
    const { violations } = await runSchedule(drawSchedule(seed, seconds));
    const replay = replayLine(seed, { seconds, bug: null });
    expect({ replay, violations }).toEqual({ replay, violations: [] });
  }
});

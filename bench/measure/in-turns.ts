/** Measures several things in turns, round after round, so that what the machine does meanwhile meets all alike. */
import type { LoadReport } from "./load.ts";

export interface Turn<Report extends LoadReport = LoadReport> {
  readonly name: string;
  measure(): Promise<Report>;
}

/** The reports of each turn, by its name. Every other round goes backwards: nobody always comes after the same one. */
export async function inTurns<Report extends LoadReport>(
  turns: readonly Turn<Report>[],
  rounds: number,
  log: (text: string) => void,
): Promise<ReadonlyMap<string, readonly Report[]>> {
  const reports = new Map<string, Report[]>(turns.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const turn of round % 2 === 1 ? turns : turns.toReversed()) {
      const report = await turn.measure();
      reports.get(turn.name)?.push(report);
      log(`round ${round}/${rounds}  ${turn.name}: ${Math.round(report.tasksPerSecond)} tasks/s`);
    }
  }
  return reports;
}

/** What a workload has for itself nobody else has meanwhile, a node never runs more than its slots, and an attempt runs once. */
import { type Check, count, type Violation, violation } from "../check.ts";
import type { History } from "../history.ts";
import type { At, ExecutionLine } from "../history-line.ts";

export const exclusive: Check = {
  name: "exclusive",
  lacks: ({ executions }) => (executions.some(({ type }) => type === "start") ? null : "no executions on machines"),
  find(history) {
    const runs = runsOf(history);
    const ofResource = Map.groupBy(
      runs.flatMap((run) =>
        (run.start.uses ?? []).map((resource) => ({ run, of: `${resource} of ${run.start.node}` })),
      ),
      ({ of }) => of,
    );
    const ofAttempt = Map.groupBy(
      runs.filter(({ start }) => start.token !== undefined),
      ({ start }) => JSON.stringify([start.holder, start.attempt, start.token]),
    );
    const violations = [
      ...[...ofResource].flatMap(([of, uses]) =>
        over(
          uses.map(({ run }) => ({ ...run, weight: 1 })),
          1,
        ).map((one) => overused(of, 1, one)),
      ),
      ...slotsExceeded(history, runs),
      ...[...ofAttempt.values()].flatMap((ofOne) =>
        over(
          ofOne.map((run) => ({ ...run, weight: 1 })),
          1,
        ).map(runsTwice),
      ),
    ];
    const judged = [count(runs.length, "execution"), count(ofResource.size, "thing"), count(ofAttempt.size, "attempt")];
    return { violations, judged: `${judged[0]} with ${judged[1]} for themselves, of ${judged[2]}` };
  },
};

interface Run {
  readonly start: At<ExecutionLine>;
  readonly endsAt: number;
}

/** What was never finished ended with its node or its agent, or runs until the end of the history. */
function runsOf({ executions, markers }: History): readonly Run[] {
  const finishes = Map.groupBy(
    executions.filter(({ type }) => type === "finish"),
    idOf,
  );
  const ends = markers.filter(({ name, node }) => ["node-died", "agent-started"].includes(name) && node !== undefined);
  const ofNode = Map.groupBy(ends, ({ node }) => node);
  return executions.flatMap((start) => {
    if (start.type !== "start") return [];
    const finish = finishes.get(idOf(start))?.find(({ at }) => at >= start.at)?.at ?? Number.POSITIVE_INFINITY;
    // An agent writes that it started before what it starts then.
    const isAfter = ({ name, at }: { readonly name: string; readonly at: number }) =>
      name === "node-died" ? at >= start.at : at > start.at;
    const later = (ofNode.get(start.node) ?? []).filter(isAfter).map(({ at }) => at);
    return [{ start, endsAt: Math.min(finish, ...later) }];
  });
}

function idOf({ run, holder, attempt, token, node }: ExecutionLine): string {
  return run ?? JSON.stringify([holder, attempt, token, node]);
}

interface Weighted extends Run {
  readonly weight: number;
}

/** What is used at the start of one that is too many, by whom. */
interface Overuse {
  readonly at: number;
  readonly used: number;
  readonly running: readonly Run[];
}

function slotsExceeded({ nodes }: History, runs: readonly Run[]): readonly Violation[] {
  const slots = new Map(nodes.map(({ node, slots }) => [node, slots]));
  return [...Map.groupBy(runs, ({ start }) => start.node)].flatMap(([node, ofNode]) => {
    const has = slots.get(node);
    if (has === undefined) return [];
    const users = ofNode.map((run) => ({ ...run, weight: run.start.slots ?? 0 })).filter(({ weight }) => weight > 0);
    return over(users, has).map((one) => overused(`slots of ${node}`, has, one));
  });
}

/** A sweep over starts and ends; what ends at the instant of another's start has ended before. */
function over(runs: readonly Weighted[], capacity: number): readonly Overuse[] {
  const edges = runs
    .filter(({ start, endsAt }) => endsAt > start.at)
    .flatMap((run) => [
      { run, at: run.start.at, isStart: true },
      { run, at: run.endsAt, isStart: false },
    ])
    .sort((a, b) => a.at - b.at || Number(a.isStart) - Number(b.isStart));
  const running = new Set<Weighted>();
  const found: Overuse[] = [];
  let used = 0;
  for (const { run, at, isStart } of edges) {
    used += isStart ? run.weight : -run.weight;
    if (isStart) running.add(run);
    else running.delete(run);
    if (isStart && used > capacity) found.push({ at, used, running: [...running] });
  }
  return found;
}

function overused(what: string, capacity: number, { at, used, running }: Overuse): Violation {
  const holders = running.map(({ start }) => start.holder);
  const sentence = `${what}: ${used} of ${capacity} are used at ${at} by ${holders.join(", ")}`;
  return violation(sentence, holders, ...running.map(({ start }) => start.place));
}

function runsTwice({ at, used, running }: Overuse): Violation {
  const [first] = running;
  const where = running.map(({ start }) => start.workload ?? start.node);
  const sentence = `attempt ${first?.start.attempt} of task ${first?.start.holder} ran ${used} times at once at ${at}, in ${where.join(" and ")}`;
  return violation(sentence, [first?.start.holder ?? ""], ...running.map(({ start }) => start.place));
}

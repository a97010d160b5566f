/**
 * Tokens of a task, the revisions of its claims, strictly increase; a success is that of the newest claim; what ran on
 * machines ran under tokens of claims, and the result of an old one is nobody's.
 */
import { type Check, count, type Violation, violation, writesByTask } from "../check.ts";
import type { History } from "../history.ts";
import type { At, ExecutionLine, WriteLine } from "../history-line.ts";

export const fencing: Check = {
  name: "fencing",
  lacks: ({ writes }) => (writes.length === 0 ? "no writes of the store" : null),
  find(history) {
    const tasks = writesByTask(history);
    const claims = history.writes.filter(({ phase }) => phase === "running").length;
    const violations = [
      ...[...tasks].flatMap(([taskId, writes]) => [...wrongOrder(taskId, writes), ...wrongAttempts(taskId, writes)]),
      ...executedWithoutClaim(history, tasks),
      ...madeBeforeClaim(history, tasks),
    ];
    const executions = history.executions.filter(({ token }) => token !== undefined).length;
    return { violations, judged: `${count(claims, "claim")}, ${count(executions, "line")} of executions with a token` };
  },
};

function wrongOrder(taskId: string, writes: readonly At<WriteLine>[]): readonly Violation[] {
  return writes.flatMap(({ revision, place }, index) => {
    const before = writes[index - 1];
    if (before === undefined || before.revision < revision) return [];
    return [
      violation(`task ${taskId} was written at ${revision} after ${before.revision}`, [taskId], before.place, place),
    ];
  });
}

function wrongAttempts(taskId: string, writes: readonly At<WriteLine>[]): readonly Violation[] {
  const found: Violation[] = [];
  let current: At<WriteLine> | undefined;
  for (const write of writes) {
    const { phase, attempt, place } = write;
    if (attempt === undefined) continue;
    const newest = current?.attempt ?? 0;
    if (phase === "running") {
      if (attempt !== newest + 1) {
        found.push(
          violation(
            `task ${taskId} started attempt ${attempt} after attempt ${newest}`,
            [taskId],
            current?.place,
            place,
          ),
        );
      }
      current = write;
    } else if (phase === "succeeded" && attempt !== newest) {
      const sentence = `task ${taskId} succeeded with attempt ${attempt} while ${newest} was current`;
      found.push(violation(sentence, [taskId], current?.place, place));
    }
  }
  return found;
}

function executedWithoutClaim(
  { executions }: History,
  tasks: ReadonlyMap<string, readonly At<WriteLine>[]>,
): readonly Violation[] {
  const ofTasks = Map.groupBy(
    executions.filter(({ token, holder }) => token !== undefined && tasks.has(holder)),
    ({ holder }) => holder,
  );
  return [...ofTasks].flatMap(([taskId, lines]) => {
    const writes = tasks.get(taskId) ?? [];
    const claims = writes.filter(({ phase }) => phase === "running");
    return [...withoutClaim(taskId, lines, claims), ...ofOldToken(taskId, lines, writes)];
  });
}

function withoutClaim(
  taskId: string,
  lines: readonly At<ExecutionLine>[],
  claims: readonly At<WriteLine>[],
): readonly Violation[] {
  return lines.flatMap(({ token, node, place }) => {
    const claim = claims.find(({ revision }) => revision === token);
    if (claim === undefined)
      return [violation(`task ${taskId} ran under token ${token}, which no claim has`, [taskId], place)];
    if (claim.node === undefined || claim.node === node) return [];
    const sentence = `task ${taskId} ran on ${node} under token ${token}, whose claim is of ${claim.node}`;
    return [violation(sentence, [taskId], claim.place, place)];
  });
}

/** What was committed is what an earlier attempt made, and not what the newest made. */
function ofOldToken(
  taskId: string,
  lines: readonly At<ExecutionLine>[],
  writes: readonly At<WriteLine>[],
): readonly Violation[] {
  const end = writes.find(({ phase, result_sha256 }) => phase === "succeeded" && result_sha256 !== undefined);
  const newest = writes.findLast(({ phase, revision }) => phase === "running" && revision < (end?.revision ?? 0));
  if (end === undefined || newest === undefined) return [];
  const makers = lines.filter(({ type, result_sha256 }) => type === "finish" && result_sha256 === end.result_sha256);
  const isNewest = ({ token }: At<ExecutionLine>) => token === newest.revision;
  if (makers.length === 0 || makers.some(isNewest)) return [];
  const sentence = `task ${taskId} has the result of token ${makers[0]?.token} while ${newest.revision} was current`;
  return [violation(sentence, [taskId], ...makers.map(({ place }) => place), newest.place, end.place)];
}

/** Provers and coordinators of one machine go by one clock, coordinators by the median of theirs. */
const CLOCKS_APART_MS_MAX = 100;

/** A result that shows when it was made is an earlier attempt's where that is before the newest claim. */
function madeBeforeClaim(
  { calls }: History,
  tasks: ReadonlyMap<string, readonly At<WriteLine>[]>,
): readonly Violation[] {
  return calls.flatMap(({ taskId, task, place }) => {
    const made = task?.result_made;
    if (taskId === null || made === undefined) return [];
    const claim = tasks.get(taskId)?.findLast(({ phase }) => phase === "running");
    if (claim?.claimed === undefined || made >= claim.claimed - CLOCKS_APART_MS_MAX) return [];
    const earlier = Math.round(claim.claimed - made);
    const sentence = `task ${taskId} has a result that was made ${earlier} ms before attempt ${claim.attempt} was claimed`;
    return [violation(sentence, [taskId], claim.place, place)];
  });
}

/**
 * Whether concurrent operations have an order that a sequential object explains: the search of Wing and Gong ("Testing
 * and Verifying Concurrent Objects", J. Parallel Distrib. Comput. 17, 1993) with the memory of configurations of Lowe
 * ("Testing for linearizability", Concurrency Computat. Pract. Exper. 29, 2017): a set of operations that were put in
 * order, and the state after them, is explored once. By locality (Herlihy and Wing 1990) each object is judged apart.
 *
 * The set is stored as how many operations are done in the order of their returns, and which ones beyond these: as many as
 * ran concurrently, however long the history is. Reads are put in order as soon as they may be. So sequential operations,
 * and reads by any number of clients, take time in proportion to their number.
 */

/** An operation takes effect at an instant between its invocation and its return. */
export interface Interval<Op> {
  readonly op: Op;
  readonly invokedAt: number;
  /** Infinity where the outcome is unknown: it takes effect at any time after its invocation, or never. */
  readonly returnedAt: number;
}

export interface Model<State, Op> {
  readonly initial: State;
  /** The state after `op`; null where the object does not allow it in `state`. */
  step(state: State, op: Op): State | null;
  /** Equal for equal states. */
  key(state: State): string;
  /**
   * Whether the operation changes neither `state` nor any state that can follow, where it is allowed. Then it is put in order
   * at once, and nothing else is tried in its place.
   */
  isRead(state: State, op: Op): boolean;
}

/** `undecided` where there were more configurations than may be explored. */
export type Linearizability = "linearizable" | "not linearizable" | "undecided";

/** For each operation so many configurations may be explored further: a long history without much concurrency needs them. */
const FURTHER_PER_OPERATION = 10;

interface Configuration<State> {
  /** All operations before this one, in the order of their returns, are done. */
  readonly done: number;
  /** Those after it that are done, in order. */
  readonly beyond: readonly number[];
  readonly state: State;
  /** How many operations were tried as the next one. */
  tried: number;
}

export function linearize<State, Op>(
  intervals: readonly Interval<Op>[],
  model: Model<State, Op>,
  configurationsMax = 100_000,
): Linearizability {
  const ops = [...intervals].sort((a, b) => a.returnedAt - b.returnedAt || a.invokedAt - b.invokedAt);
  const openAt = openAtReturns(ops);
  const max = configurationsMax + FURTHER_PER_OPERATION * ops.length;
  const explored = new Set<string>();
  const path: Configuration<State>[] = [{ done: 0, beyond: [], state: model.initial, tried: 0 }];
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const open = openAt[last.done];
    // What is left has no known outcome, or nothing is left.
    if (open === undefined) return "linearizable";
    const read = last.tried === 0 ? readOf(open, ops, last, model) : undefined;
    const index = read ?? open[last.tried];
    const op = index === undefined ? undefined : ops[index]?.op;
    if (index === undefined || op === undefined) {
      path.pop();
      continue;
    }
    last.tried = read === undefined ? last.tried + 1 : open.length;
    const state = last.beyond.includes(index) ? null : model.step(last.state, op);
    if (state === null) continue;
    const next = { ...withDone(last.done, last.beyond, index), state, tried: 0 };
    const key = `${next.done}:${next.beyond.join()}:${model.key(state)}`;
    if (explored.has(key)) continue;
    explored.add(key);
    if (explored.size > max) return "undecided";
    path.push(next);
  }
  return "not linearizable";
}

/** A read that is allowed now; undefined where there is none. An order in which it comes later is one too with it here. */
function readOf<State, Op>(
  open: readonly number[],
  ops: readonly Interval<Op>[],
  { state, beyond }: Configuration<State>,
  model: Model<State, Op>,
): number | undefined {
  return open.find((index) => {
    const op = ops[index]?.op;
    if (op === undefined || beyond.includes(index) || !model.isRead(state, op)) return false;
    return model.step(state, op) !== null;
  });
}

/**
 * For each operation that returned, in the order of returns, those that may take effect before its return and that have not
 * returned before it. That operation is the first of them, which is what a history without concurrency needs.
 */
function openAtReturns(ops: readonly Interval<unknown>[]): readonly (readonly number[])[] {
  const invoked = ops.map((_, index) => index).sort((a, b) => invokedAt(ops, a) - invokedAt(ops, b));
  let open: number[] = [];
  let next = 0;
  const all: number[][] = [];
  for (const [index, { returnedAt }] of ops.entries()) {
    if (returnedAt === Number.POSITIVE_INFINITY) break;
    for (; next < invoked.length && invokedAt(ops, invoked[next] ?? 0) <= returnedAt; next += 1)
      open.push(invoked[next] ?? 0);
    open = open.filter((one) => one >= index).sort((a, b) => a - b);
    all.push([...open]);
  }
  return all;
}

function invokedAt(ops: readonly Interval<unknown>[], index: number): number {
  return ops[index]?.invokedAt ?? 0;
}

/** `index` is done now too. */
function withDone(
  done: number,
  beyond: readonly number[],
  index: number,
): Pick<Configuration<unknown>, "done" | "beyond"> {
  if (index !== done) return { done, beyond: [...beyond, index].sort((a, b) => a - b) };
  let first = 0;
  while (beyond[first] === done + 1 + first) first += 1;
  return { done: done + 1 + first, beyond: beyond.slice(first) };
}

/** Whether operations have an order that explains them, by trying every order: what the search must agree with. */
import type { Interval, Model } from "../linearize.ts";

export function hasOrder<State, Op>(
  left: readonly Interval<Op>[],
  model: Model<State, Op>,
  state: State = model.initial,
): boolean {
  const firstReturn = Math.min(Number.POSITIVE_INFINITY, ...left.map(({ returnedAt }) => returnedAt));
  if (firstReturn === Number.POSITIVE_INFINITY) return true;
  return left.some(({ op, invokedAt }, index) => {
    const after = invokedAt > firstReturn ? null : model.step(state, op);
    return after !== null && hasOrder(left.toSpliced(index, 1), model, after);
  });
}

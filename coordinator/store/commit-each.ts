/** Many small commits, some at once: they share transactions. */
import type { Change, Store } from "./store.ts";

const AT_ONCE = 100;

/** One that changed meanwhile comes with the next round. Returns how many were committed. */
export async function commitEach(
  store: Pick<Store, "commit">,
  commits: readonly (readonly Change[])[],
): Promise<number> {
  let committed = 0;
  for (let at = 0; at < commits.length; at += AT_ONCE) {
    const outcomes = await Promise.all(commits.slice(at, at + AT_ONCE).map((changes) => store.commit(changes)));
    committed += outcomes.filter(({ kind }) => kind === "committed").length;
  }
  return committed;
}

/** Plants bugs into copies of the product, one at a time in each, and finds those that the test named for them does not catch. */
import { type Ending, runNamedTests } from "./named-test.ts";
import type { PlantedBug } from "./planted-bug.ts";
import { copyProduct } from "./product-copy.ts";

export interface Tried {
  readonly name: string;
  /** Of its test, before and after it was planted. */
  readonly without: Ending;
  readonly planted: Ending;
}

/** What every bug is to come to. */
export function caught({ name }: Pick<PlantedBug, "name">): Tried {
  return { name, without: "passed", planted: "failed" };
}

/** In their order. Rejects with the bug's name where a patch no longer applies. */
export async function tryBugs(bugs: readonly PlantedBug[], copies = 1): Promise<readonly Tried[]> {
  const shares = Array.from({ length: copies }, (_, copy) => bugs.filter((_bug, index) => index % copies === copy));
  const tried = new Map((await Promise.all(shares.map(tryInTurn))).flat().map((one) => [one.name, one]));
  return bugs.flatMap(({ name }) => tried.get(name) ?? []);
}

async function tryInTurn(bugs: readonly PlantedBug[]): Promise<readonly Tried[]> {
  using copy = await copyProduct();
  const without = await runNamedTests(
    copy.root,
    bugs.map(({ caughtBy }) => caughtBy),
  );
  const tried: Tried[] = [];
  for (const [index, { name, caughtBy, patchFile }] of bugs.entries()) {
    await copy.apply(patchFile).catch((cause: unknown) => {
      throw new Error(`${name} no longer applies: make its patch again (test/README.md, Planted bugs)`, { cause });
    });
    const [planted = "missing"] = await runNamedTests(copy.root, [caughtBy]);
    tried.push({ name, without: without[index] ?? "missing", planted });
    await copy.revert(patchFile);
  }
  return tried;
}

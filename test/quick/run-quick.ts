/** `npm test -- quick`: check, the pure tier, and the component tests that a change reaches. */
import { sourceFiles } from "../house-rules/source-files.ts";
import { readWorkspaces } from "../house-rules/workspaces.ts";
import { measured } from "../measured.ts";
import { add, type Count, NONE } from "../runners/count.ts";
import { runVitest } from "../runners/vitest.ts";
import { setUpFor } from "../set-up.ts";
import { runNamed } from "../suite.ts";
import { tierOf } from "../tiers.ts";
import { affectedBy } from "./affected.ts";
import { type Changes, changedSince } from "./changed-paths.ts";

export async function runQuick({ base }: { readonly base: string | null }): Promise<Count> {
  const changes = changesOrWhy(base);
  if (typeof changes === "string") {
    console.error(`quick: ${changes}`);
    return { ...NONE, failed: 1 };
  }
  const count = await measured(() => runNamed(["check", "pure"], { long: false }), { whole: false });
  return add(count, await runComponents(changes));
}

function changesOrWhy(base: string | null): Changes | string {
  try {
    return changedSince(base);
  } catch (error) {
    return (error as { readonly stderr?: string }).stderr?.trim() ?? String(error);
  }
}

async function runComponents({ base, paths }: Changes): Promise<Count> {
  const reached = affectedBy(paths, sourceFiles(), readWorkspaces().folders);
  const files = [...reached].filter((path) => tierOf(path) === "component");
  console.log(`\n== component: ${files.length} files reached by ${paths.length} changed since ${base}`);
  if (files.length === 0) return NONE;
  if (!(await setUpFor(["component"]))) return { ...NONE, failed: 1 };
  return (await runVitest(["--project", "component", ...files], { show: true })).count;
}

/** Reads what a restore decides by. */
import { livingProcesses } from "../../store/held-keys.ts";
import { metaOf } from "../../store/identity/meta.ts";
import { isPassing, META_KEY, RESTORE_KEY, ROOT } from "../../store/keys.ts";
import type { Kv } from "../../store/kv.ts";
import { readLeader } from "../../store/leadership.ts";
import type { FoundTarget } from "./admit-restore.ts";
import { parseMark } from "./restore-mark.ts";

const PAGE_ENTRIES = 10;

export async function readTarget(kv: Pick<Kv, "read" | "range">): Promise<FoundTarget> {
  const { revision, entries } = await kv.read([META_KEY, RESTORE_KEY]);
  const [meta, mark] = entries;
  return {
    revision,
    meta: metaOf(meta),
    mark: parseMark(mark),
    isEmpty: await isEmpty(kv),
    coordinators: await livingProcesses(kv),
    hasLeader: (await readLeader(kv)) !== null,
  };
}

/** But for what ends with a process. */
async function isEmpty(kv: Pick<Kv, "range">): Promise<boolean> {
  let afterKey: string | undefined;
  for (;;) {
    const page = await kv.range(ROOT, { limit: PAGE_ENTRIES, ...(afterKey === undefined ? {} : { afterKey }) });
    if (page.entries.some(({ key }) => !isPassing(key))) return false;
    afterKey = page.entries.at(-1)?.key;
    if (!page.more || afterKey === undefined) return true;
  }
}

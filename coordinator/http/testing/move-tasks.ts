/** What the leader does to ended tasks, at once. */
import { Mover } from "../../archive/mover.ts";
import type { HttpFixture } from "./http-fixture.ts";

/** All that have ended are in the archive alone afterwards. */
export async function moveEnded({ kv, store, archive, metrics, options }: HttpFixture): Promise<void> {
  const { clock, log } = options;
  const limits = { afterMs: 0, endedMax: 1_000_000 };
  const mover = new Mover({ kv, store, archive, limits, clock, log, metrics: metrics.archive });
  while (await mover.move());
}

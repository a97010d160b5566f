/** How long a build took; of one that runs the time so far, which ticks. */
import { useNow } from "../live/use-now.ts";
import { buildDuration } from "./build-duration.ts";
import type { Build } from "./builds-query.ts";

export function Duration({ of: build }: { readonly of: Build }) {
  return buildDuration(build, useNow(build.phase === "running"));
}

/** The phase of a build. */
import { Badge } from "@mantine/core";
import type { Build } from "./builds-query.ts";

const COLORS = { queued: "yellow", running: "blue", succeeded: "green", failed: "red", cancelled: "gray" } as const;
const WORDS = {
  queued: "Queued",
  running: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
  cancelled: "Cancelled",
} as const;

export function BuildPhase({ of: { phase } }: { readonly of: Pick<Build, "phase"> }) {
  return (
    <Badge color={COLORS[phase]} miw="max-content">
      {WORDS[phase]}
    </Badge>
  );
}

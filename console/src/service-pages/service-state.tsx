/** A service's state as the specification names it. */
import { Badge } from "@mantine/core";

const COLORS = { Unready: "yellow", Ready: "green", Failed: "red", Deleted: "gray" } as const;

export function ServiceState({ state }: { readonly state: keyof typeof COLORS }) {
  return (
    <Badge color={COLORS[state]} role="status">
      {state}
    </Badge>
  );
}

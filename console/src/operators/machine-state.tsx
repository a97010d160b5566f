/** The state of a machine, and in words what an operator should know of it. */
import { Alert, Badge, Text } from "@mantine/core";
import { Time } from "../layout/time.tsx";
import type { Machine } from "./operators-query.ts";

const COLORS: Readonly<Record<Machine["state"], string>> = {
  JOINING: "blue",
  READY: "green",
  DRAINING: "yellow",
  DRAINED: "gray",
  LOST: "red",
  GONE: "gray",
};

export function MachineState({ of: { state } }: { readonly of: Pick<Machine, "state"> }) {
  return (
    <Badge color={COLORS[state]} role="status" tt="none">
      {state}
    </Badge>
  );
}

export function MachineNotes({ of }: { readonly of: Machine }) {
  const { drain, quarantine, disk_pressure: pressure, why_unheard: why } = of;
  return (
    <>
      {why !== null && <Alert color="red">{why}</Alert>}
      {pressure !== null && <Alert color="orange">{`It takes no new work: ${pressure}`}</Alert>}
      {quarantine && (
        <Alert color="red" title="Quarantined: it takes no work">
          {quarantine.reason}. It takes work again from <Time of={quarantine.ends} /> on if its agent sends no more of
          them, or once it is resumed.
        </Alert>
      )}
      {drain !== null && (
        <Text>
          {drain.asked_by_name === null ? "Drained on the machine itself" : `Drained by ${drain.asked_by_name}`}
          {", "}
          <Time of={drain.asked} />
          {drain.stop_shells ? "; shells are stopped too." : "; shells continue until they are stopped."}
        </Text>
      )}
    </>
  );
}

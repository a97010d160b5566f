/** What happened to a task, in order, and each of its attempts. */
import { Code, Loader, Table, Text, Timeline } from "@mantine/core";
import { ColumnNames } from "../layout/column-names.tsx";
import { Time } from "../layout/time.tsx";
import { timeBetween } from "../text/duration-text.ts";
import { failureAdvice } from "./failure-advice.ts";
import type { Attempt, TaskEvent } from "./task-events.ts";

const TITLES: Readonly<Record<TaskEvent["type"], string>> = {
  "task.created": "Queued",
  "task.started": "Placed and started",
  "task.requeued": "Queued again",
  "task.succeeded": "Succeeded",
  "task.failed": "Failed",
  "task.cancelled": "Cancelled",
  "task.timed_out": "Timed out",
  "task.expired": "Expired",
};

interface TaskTimelineProps {
  readonly events: readonly TaskEvent[];
  readonly attempts: readonly Attempt[];
}

export function TaskTimeline({ events, attempts }: TaskTimelineProps) {
  if (events.length === 0) return <Loader aria-label="Reading the timeline" size="sm" />;
  return (
    <>
      <Timeline active={events.length - 1} bulletSize={16} lineWidth={2}>
        {events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an event's place is its id.
          <Timeline.Item key={index} title={TITLES[event.type]}>
            <Text size="sm">{detailOf(event)}</Text>
            <Text size="sm" c="dimmed">
              <Time of={event.at} />
              {index > 0 && `, ${timeBetween(events[index - 1]?.at ?? event.at, event.at)} later`}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {attempts.length > 0 && <Attempts of={attempts} />}
    </>
  );
}

function detailOf({ type, attempt, reason }: TaskEvent): string {
  if (type === "task.started") return `Attempt ${attempt ?? 1}`;
  return reason === null ? "" : failureAdvice(reason).title;
}

function Attempts({ of: attempts }: { readonly of: readonly Attempt[] }) {
  return (
    <Table.ScrollContainer
      minWidth={560}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": "Attempts" } }}
    >
      <Table>
        <ColumnNames names={["Attempt", "Machine", "Took", "Ended"]} />
        <Table.Tbody>
          {attempts.map(({ number, nodeId, started, ended, reason }) => (
            <Table.Tr key={number}>
              <Table.Td>{number}</Table.Td>
              <Table.Td>
                <Code>{nodeId ?? "unknown"}</Code>
              </Table.Td>
              <Table.Td>{ended === null ? "" : timeBetween(started, ended)}</Table.Td>
              <Table.Td>{ended === null ? "running" : (reason ?? "with a result")}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Tasks, a row each. Only rows within the window are in the page, however many there are; near the end more are read. */
import { Anchor, Badge, Checkbox, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import type { components } from "elastic-client/gen/schema.ts";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Time } from "../layout/time.tsx";
import { timeBetween } from "../text/duration-text.ts";
import { STATE_COLORS } from "./task-phases.ts";

type Task = components["schemas"]["Task"];

const ROW_HEIGHT_PX = 42;
/** Rows in the page above and below the window. */
const ROWS_BEYOND = 15;
const NAMES = ["Task", "Service", "Phase", "Reason", "Created", "Took"];

interface TaskRowsProps {
  readonly tasks: readonly Task[];
  /** How many tasks the list has in all. */
  readonly total: number;
  /** Null for who may not cancel, and so has nothing to select for. */
  readonly selected: ReadonlySet<string> | null;
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void;
  readonly onEnd: () => void;
}

export function TaskRows({ tasks, total, selected, onSelect, onEnd }: TaskRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const scrollMargin = useDistanceFromTop(body);
  const rows = useWindowVirtualizer({
    count: tasks.length,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: ROWS_BEYOND,
    scrollMargin,
  });
  const shown = rows.getVirtualItems();
  const [first, last] = [shown[0], shown.at(-1)];
  const isAtEnd = last !== undefined && last.index >= tasks.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);
  const above = first === undefined ? 0 : first.start - rows.options.scrollMargin;
  const below = last === undefined ? 0 : rows.getTotalSize() + rows.options.scrollMargin - last.end;
  return (
    <Table.ScrollContainer minWidth={900} scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": "Tasks" } }}>
      <Table aria-rowcount={total + 1} style={{ whiteSpace: "nowrap" }}>
        <Heads tasks={tasks} selected={selected} onSelect={onSelect} />
        <Table.Tbody ref={body}>
          <Space height={above} />
          {shown.map(({ index }) => {
            const task = tasks[index];
            if (task === undefined) return null;
            const isSelected = selected?.has(task.task_id) ?? null;
            return <TaskRow key={task.task_id} of={task} index={index} isSelected={isSelected} onSelect={onSelect} />;
          })}
          <Space height={below} />
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Of an element from the top of the page, in pixels. What stands above it may grow and shrink. */
function useDistanceFromTop(of: RefObject<HTMLElement | null>): number {
  const [distance, setDistance] = useState(0);
  useLayoutEffect(() => {
    if (of.current !== null) setDistance(of.current.getBoundingClientRect().top + window.scrollY);
  });
  return distance;
}

/** In place of rows that are not in the page. */
function Space({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <Table.Tr aria-hidden>
      <Table.Td colSpan={NAMES.length + 1} p={0} style={{ height }} />
    </Table.Tr>
  );
}

/** Only an open task can be cancelled, and so selected. */
const isOpen = ({ state }: Task): boolean => state === "PENDING";

function Heads({ tasks, selected, onSelect }: Pick<TaskRowsProps, "tasks" | "selected" | "onSelect">) {
  const open = tasks.filter(isOpen).map(({ task_id }) => task_id);
  const isAll = open.length > 0 && open.every((id) => selected?.has(id));
  return (
    <Table.Thead>
      <Table.Tr aria-rowindex={1}>
        <Table.Th w={40}>
          {selected !== null && (
            <Checkbox
              aria-label="Select all open tasks"
              disabled={open.length === 0}
              checked={isAll}
              indeterminate={!isAll && open.some((id) => selected.has(id))}
              onChange={() => onSelect(open, !isAll)}
            />
          )}
        </Table.Th>
        {NAMES.map((name) => (
          <Table.Th key={name}>{name}</Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

interface TaskRowProps extends Pick<TaskRowsProps, "onSelect"> {
  readonly of: Task;
  readonly index: number;
  /** Null where nothing is selected from. */
  readonly isSelected: boolean | null;
}

function TaskRow({ of: task, index, isSelected, onSelect }: TaskRowProps) {
  const { task_id: id, started, finished } = task;
  return (
    <Table.Tr aria-rowindex={index + 2} style={{ height: ROW_HEIGHT_PX }}>
      <Table.Td>
        {isSelected !== null && isOpen(task) && (
          <Checkbox aria-label={`Select ${id}`} checked={isSelected} onChange={() => onSelect([id], !isSelected)} />
        )}
      </Table.Td>
      <Table.Td ff="monospace">
        <Anchor renderRoot={(props) => <Link to="/tasks/$taskId" params={{ taskId: id }} {...props} />}>{id}</Anchor>
      </Table.Td>
      <Table.Td>{task.service_name}</Table.Td>
      <Table.Td>
        <Badge color={STATE_COLORS[task.state]}>{task.phase}</Badge>
      </Table.Td>
      <Table.Td>{task.failure?.reason ?? ""}</Table.Td>
      <Table.Td>
        <Time of={task.created} />
      </Table.Td>
      <Table.Td>{started === null || finished === null ? "" : timeBetween(started, finished)}</Table.Td>
    </Table.Tr>
  );
}

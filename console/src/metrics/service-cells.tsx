/** How a service fared over the last 24 hours, in the list of services. */
import { Group, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { secondsText } from "../text/seconds-text.ts";
import type { ServiceFigures } from "./metrics-query.ts";
import { Sparkline } from "./sparkline.tsx";
import { percentText, successRate } from "./success-rate.ts";

export const METRICS_COLUMNS = ["Run time p50 / p95", "Queue", "Success"];

const OVER_A_DAY = "by hour, over the last 24 hours";

/** Undefined while it is being read. */
export function ServiceCells({ of: figures }: { readonly of: ServiceFigures | undefined }) {
  if (figures === undefined) return METRICS_COLUMNS.map((name) => <Table.Td key={name} />);
  const { tasks, run_seconds: run, run_p95_seconds: runs, queued, ended, succeeded } = figures;
  const rate = successRate(tasks);
  const waiting = queued.at(-1) ?? null;
  return (
    <>
      <Cell text={run && `${secondsText(run.p50)} / ${secondsText(run.p95)}`}>
        <Sparkline values={runs} label={`Run time, p95 ${OVER_A_DAY}`} />
      </Cell>
      <Cell text={waiting === null ? null : String(Math.round(waiting))}>
        <Sparkline values={queued} label={`Tasks that wait, ${OVER_A_DAY}`} />
      </Cell>
      <Cell text={rate === null ? null : percentText(rate)}>
        <Sparkline
          values={ended.map((count, hour) => (count === 0 ? null : (succeeded[hour] ?? 0) / count))}
          label={`Success rate ${OVER_A_DAY}`}
        />
      </Cell>
    </>
  );
}

/** Without text there is nothing to draw either. */
function Cell({ text, children }: { readonly text: string | null; readonly children: ReactNode }) {
  return (
    <Table.Td>
      {text !== null && (
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" style={{ whiteSpace: "nowrap" }}>
            {text}
          </Text>
          {children}
        </Group>
      )}
    </Table.Td>
  );
}

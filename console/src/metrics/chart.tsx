/** Lines over time, with the same in words. The values under the pointer are shown below. */
import { Card, Text, useComputedColorScheme } from "@mantine/core";
import { useEffect, useId, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { type ChartLine, chartSummary } from "./chart-summary.ts";

const HEIGHT_PX = 180;
const COLORS = ["blue", "orange", "teal"];
/** Room for the numbers next to the lines. */
const AXIS_PX = 64;

interface ChartProps {
  readonly title: string;
  /** Seconds since the epoch, one for each value. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  /** A value for a person. */
  readonly format: (value: number) => string;
}

export function Chart({ title, times, lines, format }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  const scheme = useComputedColorScheme();
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const plot = new uPlot(optionsOf(current, scheme, lines, format), dataOf(times, lines), current);
    const watch = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height: HEIGHT_PX }));
    watch.observe(current);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [times, lines, format, scheme]);
  return (
    <Card withBorder component="section" aria-labelledby={id} padding="sm">
      <Text id={id} component="h2" fw={600}>
        {title}
      </Text>
      <Text size="sm" c="dimmed">
        {chartSummary(lines, format)}
      </Text>
      <div ref={place} aria-hidden />
    </Card>
  );
}

function dataOf(times: readonly number[], lines: readonly ChartLine[]): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}

/** In the reader's time zone. */
function timeText(seconds: number): string {
  return new Date(1000 * seconds).toLocaleTimeString(undefined, { timeStyle: "short" });
}

function optionsOf(
  place: HTMLElement,
  scheme: "light" | "dark",
  lines: readonly ChartLine[],
  format: ChartProps["format"],
): uPlot.Options {
  const style = getComputedStyle(place);
  const shade = scheme === "dark" ? 4 : 7;
  const color = (name: string) => style.getPropertyValue(`--mantine-color-${name}-${shade}`);
  const text = style.getPropertyValue("--mantine-color-text");
  const grid = { stroke: style.getPropertyValue("--mantine-color-default-border"), width: 1 };
  const axis = { stroke: text, grid, ticks: grid };
  const show = (value: number | null | undefined) => (value == null ? "none" : format(value));
  return {
    width: place.clientWidth,
    height: HEIGHT_PX,
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _least, greatest) => [0, Math.max(greatest, Number.MIN_VALUE) * 1.1] } },
    axes: [
      { ...axis, values: (_plot, values) => values.map(timeText) },
      { ...axis, size: AXIS_PX, values: (_plot, values) => values.map(format) },
    ],
    series: [
      { value: (_plot, value: number | null) => (value === null ? "none" : timeText(value)) },
      ...lines.map(({ label }, index) => ({
        label,
        stroke: color(COLORS[index % COLORS.length] ?? ""),
        width: 1.5,
        value: (_plot: uPlot, value: number | null) => show(value),
      })),
    ],
  };
}

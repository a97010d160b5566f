/** A small line of how something went over time. */
import { sparklinePath } from "./sparkline-path.ts";

const SIZE = { width: 80, height: 20 };
/** So that the line's own width is within the picture. */
const MARGIN = 2;

interface SparklineProps {
  readonly values: readonly (number | null)[];
  /** What it shows, in words. */
  readonly label: string;
}

export function Sparkline({ values, label }: SparklineProps) {
  // One value is no course of time.
  if (values.filter((value) => value !== null).length < 2) return null;
  const { width, height } = SIZE;
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`}
    >
      <title>{label}</title>
      <path
        d={sparklinePath(values, SIZE)}
        fill="none"
        stroke="var(--mantine-primary-color-filled)"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** The line through values as the path of an SVG: from 0 at the bottom to the greatest at the top, broken where a value is absent. Pure. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function sparklinePath(values: readonly (number | null)[], { width, height }: Size): string {
  const greatest = Math.max(0, ...values.map((value) => value ?? 0));
  const x = (index: number) => (values.length < 2 ? width : (index * width) / (values.length - 1));
  const y = (value: number) => (greatest === 0 ? height : height - (value * height) / greatest);
  return values
    .map((value, index) => {
      if (value === null) return "";
      const before = values[index - 1] ?? null;
      const point = `${round(x(index))} ${round(y(value))}`;
      if (before !== null) return `L${point}`;
      // One value between two that are absent is a dot.
      return (values[index + 1] ?? null) === null ? `M${point}h0.01` : `M${point}`;
    })
    .join("");
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}

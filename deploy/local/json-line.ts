/** Reads the JSON lines that the programs of this repository log. */

/** The record of a line, or undefined when the line is none. */
export function parseJsonLine(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** `host:port` of an address that a program logged, be it a URL or bare. */
export function hostOf(address: unknown): string {
  const text = String(address);
  return new URL(text.includes("://") ? text : `http://${text}`).host;
}

/** Finds the first line whose `msg` is `message`; for Child.line(). */
export function lineWithMessage(message: string): (line: string) => Readonly<Record<string, unknown>> | undefined {
  return (line) => {
    const record = parseJsonLine(line);
    return record?.msg === message ? record : undefined;
  };
}

/** Times of the service, which are UTC, as a field for the reader's own time has them, and back. Pure. */

/** `YYYY-MM-DDTHH:MM:SS` in the reader's time zone. */
export function toLocalTime(utc: string): string {
  const date = new Date(`${utc.slice(0, 19)}Z`);
  return textOf(date.getTime() - date.getTimezoneOffset() * 60_000);
}

/** Undefined for what is no time. */
export function fromLocalTime(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : textOf(date.getTime());
}

function textOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}

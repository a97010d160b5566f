/** Times of the service, which are UTC, as a field for the reader's own time has them, and back. Pure. */

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

/** Whether the service takes it for a time: the 30th of February has the form of one. */
export function isUtcTime(text: string): boolean {
  const instant = UTC_TIME.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return !Number.isNaN(instant) && textOf(instant) === text;
}

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

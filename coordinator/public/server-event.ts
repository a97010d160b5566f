/** One event as a client of a stream receives it (server-sent events). */

export interface ServerEvent {
  /** What a client names to continue after it; an event without an id is not sent again. */
  readonly id?: number | string;
  readonly type: string;
  readonly data: object;
}

export function eventText({ id, type, data }: ServerEvent): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

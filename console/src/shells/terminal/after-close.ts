/** What a terminal does when its connection has closed: connect again after a while, or stay as it ended. */

/** As coordinator/http/terminals/terminal-message.ts has them. */
const EXITED = 1000;
const VIOLATION = 1008;
const ENDED = 4000;

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 15_000;
/** Some ten minutes. */
const TRIES_MAX = 45;

export type AfterClose = { readonly kind: "again"; readonly inMs: number } | { readonly kind: "over" };

/** `tries` counts the connections that have failed since the last that was open. */
export function afterClose(code: number, tries: number): AfterClose {
  const isOver = code === EXITED || code === VIOLATION || code >= ENDED;
  if (isOver || tries >= TRIES_MAX) return { kind: "over" };
  return { kind: "again", inMs: Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** tries) };
}

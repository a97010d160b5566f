/** Whether a name stands twice in one object of a body: its parser keeps the last, and another reader the first. */

/** In JSON a text that a colon follows is a name, and nothing else is. */
const NAME = /"(?:[^"\\]|\\.)*"[ \t\r\n]*(:?)/g;

/** `text` is JSON, and `value` what it was parsed to, no deeper than the gate lets it be. */
export function hasRepeatedMember(text: string, value: unknown): boolean {
  let names = 0;
  for (const [, colon] of text.matchAll(NAME)) if (colon === ":") names += 1;
  return names !== membersOf(value);
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const within = Object.values(value);
  return within.reduce((sum: number, one) => sum + membersOf(one), Array.isArray(value) ? 0 : within.length);
}

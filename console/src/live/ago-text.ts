/** How long ago something was, for a person. */

const MINUTE_S = 60;
const HOUR_S = 3_600;

export function agoText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 2 * MINUTE_S) return `${seconds} s ago`;
  if (seconds < 2 * HOUR_S) return `${Math.round(seconds / MINUTE_S)} min ago`;
  return `${Math.round(seconds / HOUR_S)} h ago`;
}

/** Why a command of `execFile` failed, in one line. */
export interface CommandFailure extends Error {
  readonly stderr?: string;
  readonly killed?: boolean;
}

export function whyCommandFailed({ killed, stderr, message }: CommandFailure, limitMs: number): string {
  if (killed) return `it did not end within ${limitMs / 1000} s`;
  const [first] = (stderr?.trim() || message.trim()).split("\n");
  return first ?? "";
}

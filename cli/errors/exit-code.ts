/** What the process's exit code means to a script. Documented in the help of `elastic`. */
export const EXIT = {
  ok: 0,
  failure: 1,
  /** The command was put wrongly, as the command itself or the server found. */
  usage: 2,
  notLoggedIn: 3,
  notFound: 4,
  /** No response, or one that says to retry later: the same command may work then. */
  tryAgain: 5,
  interrupted: 130,
  /** What ssh and scp end with when they themselves failed. */
  openssh: 255,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

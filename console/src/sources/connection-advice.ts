/** Why a repository cannot be read through a connection, and what to do. Pure. */
import type { SourceConnection } from "./sources-query.ts";

/** `connection` is undefined where it was deleted; `at` is the source host. */
export function connectionAdvice(connection: Pick<SourceConnection, "state"> | undefined, at: string): string {
  switch (connection?.state) {
    case undefined:
      return "The team's connection was deleted. Connect the account again, and choose the repository below.";
    case "suspended":
      return `The app is suspended at ${at}. An owner of the account can unsuspend it there.`;
    case "uninstalled":
      return `The access was ended at ${at}. Connect the account again, and choose the repository below.`;
    case "active":
      return `The connection does not have the repository any more. Give access to it at ${at} and connect the account again, or choose another one below.`;
  }
}

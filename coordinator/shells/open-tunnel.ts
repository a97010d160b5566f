/** The way into a shell that is up, for a session of a user. */
import { TunnelError, type TunnelKind, type TunnelStream, type Tunnels } from "../tunnels/tunnels.ts";
import type { ShellDirectory } from "./shell-directory.ts";

interface Ways {
  readonly directory: Pick<ShellDirectory, "isKnown" | "find">;
  readonly tunnels: Tunnels;
}

export interface OpenedTunnel {
  readonly tunnel: TunnelStream;
  /** Of the run that it leads into. */
  readonly assignmentId: string;
}

/** Rejects with a TunnelError whose message is for the user, or with the signal's reason. */
export async function openTunnel(
  { directory, tunnels }: Ways,
  shellId: string,
  kind: TunnelKind,
  over: AbortSignal,
): Promise<OpenedTunnel> {
  if (!directory.isKnown())
    throw new TunnelError("the service does not know which shells there are now: try again later");
  const shell = directory.find(shellId);
  if (shell === null) throw new TunnelError("the shell was deleted");
  const { assignmentId, state } = shell;
  if (assignmentId === null) {
    throw new TunnelError(`the shell is ${state.toUpperCase()}, not READY: see "elastic shell info", or start it`);
  }
  return { tunnel: await tunnels.open(assignmentId, kind, over), assignmentId };
}

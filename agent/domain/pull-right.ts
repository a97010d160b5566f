/** What a registry wants to be shown before it lets this node's engine pull an assignment's images. */

export interface PullRight {
  /** The registry, `host[:port]`. */
  readonly host: string;
  readonly password: string;
}

/** Null when the assignment's images need none. Rejects when no coordinator could be reached. */
export type RequestPullRight = (assignmentId: string, signal: AbortSignal) => Promise<PullRight | null>;

/** As the engine takes it; nothing for an image of another registry. */
export function authOf(right: PullRight | null, image: string): { readonly authconfig?: object } {
  if (right === null || !image.startsWith(`${right.host}/`)) return {};
  return { authconfig: { username: "node", password: right.password, serveraddress: right.host } };
}

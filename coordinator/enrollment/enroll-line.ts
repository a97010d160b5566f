/** The one line that an operator pastes on a machine. */
export interface EnrollLine {
  /** `host:port` of the listener for enrollment. */
  readonly coordinator: string;
  readonly token: string;
  readonly authoritySha256: string;
  readonly nodeName: string | null;
}

export function enrollLine({ coordinator, token, authoritySha256, nodeName }: EnrollLine): string {
  const node = nodeName === null ? "" : ` --node ${nodeName}`;
  return `elastic-agent enroll --coordinator ${coordinator} --token ${token} --ca-sha256 ${authoritySha256}${node}`;
}

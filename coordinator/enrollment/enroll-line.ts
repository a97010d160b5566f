/**
 * The one line that an operator pastes on a machine. The token goes through a pipe, which the shell itself writes to: in an argument
 * every user of the machine could read it in the list of processes.
 */
export interface EnrollLine {
  /** `host:port` of the listener for enrollment. */
  readonly coordinator: string;
  readonly token: string;
  /** Of the authority's certificate in DER. */
  readonly authoritySha256: string;
  readonly nodeName: string | null;
}

export function enrollLine({ coordinator, token, authoritySha256, nodeName }: EnrollLine): string {
  const node = nodeName === null ? "" : ` --node ${nodeName}`;
  return `echo ${token} | elastic-agent enroll --coordinator ${coordinator} --token-file - --ca-sha256 ${authoritySha256}${node}`;
}

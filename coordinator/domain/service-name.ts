/**
 * Names of services: unique within a team, where names that differ in upper and lower case alone are the same, since
 * people say them aloud and type them. A claim stands for the name from the service's creation until it is deleted.
 */

export interface ServiceNameClaim {
  /** `serviceNameId`. */
  readonly id: string;
  readonly teamId: string;
  readonly serviceId: string;
}

export const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
export const SERVICE_NAME_RULE = "1 to 63 letters, digits, dots, dashes and underscores";

/** Of the claim on a name in a team. */
export function serviceNameId(teamId: string, name: string): string {
  return `${teamId}/${folded(name)}`;
}

export function isSameName(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

function folded(name: string): string {
  return name.toLowerCase();
}

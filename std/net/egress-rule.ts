/**
 * Where a shell or a build may connect: `host`, `host:port`, `*.domain` for all names below it, `*` for whatever has
 * a name. Without a port it is that of https. Pure.
 */
import { parseIp } from "./ip-address.ts";

export interface EgressRule {
  /** In lower case, an address without brackets. Empty for whatever has a name. */
  readonly host: string;
  /** Whether it stands for the names below `host`, and not for `host` itself. */
  readonly below: boolean;
  readonly port: number;
}

const DEFAULT_PORT = 443;
const LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const NAME = `${LABEL}(?:\\.${LABEL})*`;
const RULE = new RegExp(`^(\\*|(?:\\*\\.)?${NAME}|\\[[0-9a-f:.]+\\])(?::([0-9]{1,5}))?$`);
const NAME_CHARACTERS_MAX = 253;

/** Null for text that is no rule. */
export function parseEgressRule(text: string): EgressRule | null {
  const [, name, digits] = RULE.exec(text.toLowerCase()) ?? [];
  const port = digits === undefined ? DEFAULT_PORT : Number(digits);
  if (name === undefined || name.length > NAME_CHARACTERS_MAX || port < 1 || port > 65_535) return null;
  if (name.startsWith("*")) return { host: name.slice(2), below: true, port };
  const host = name.replace(/^\[|\]$/g, "");
  return name.startsWith("[") && parseIp(host) === null ? null : { host, below: false, port };
}

/** As it is stored and shown: always with the port. */
export function egressRuleText({ host, below, port }: EgressRule): string {
  const name = below ? (host === "" ? "*" : `*.${host}`) : host.includes(":") ? `[${host}]` : host;
  return `${name}:${port}`;
}

/** Whether all that `narrow` lets through is let through by `wide`. */
export function covers(wide: EgressRule, narrow: EgressRule): boolean {
  if (wide.port !== narrow.port) return false;
  if (!wide.below) return !narrow.below && narrow.host === wide.host;
  if (wide.host === "") return parseIp(narrow.host) === null;
  return (narrow.below && narrow.host === wide.host) || narrow.host.endsWith(`.${wide.host}`);
}

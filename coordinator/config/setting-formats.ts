/** How the text of a setting is read. */
import { isIP } from "node:net";
import { parseEgressRule } from "@elastic/std/net/egress-rule.ts";
import { z } from "zod";
import { parseArchiveLocation } from "../archive/location.ts";
import { parseS3Location } from "../blobs/s3/s3-location.ts";
import { parseAllowRule } from "../egress/allow-list.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3})(:\d+)?$/;

export const listen = z.string().transform((text, context) => {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match?.[1] !== undefined && port <= 65_535) return { host: match[1].replace(/^\[|\]$/g, ""), port };
  context.addIssue(`${JSON.stringify(text)} is not host:port`);
  return z.NEVER;
});

/** Where others reach this process: with a port, since no other is assumed. */
export const advertised = z
  .string()
  .refine((text) => /^(\[[0-9a-fA-F:.]+\]|[^:[\]/\s]+):\d{1,5}$/.test(text) && isPort(text), {
    error: ({ input }) => `${JSON.stringify(input)} is not host:port, as in control.example:8443`,
  });

function isPort(address: string): boolean {
  const port = Number(address.slice(address.lastIndexOf(":") + 1));
  return port >= 1 && port <= 65_535;
}

export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== ""),
);

export const s3Location = z.string().transform((text, context) => {
  const location = parseS3Location(text);
  if (location !== null) return location;
  context.addIssue(`${JSON.stringify(text)} is not s3://<bucket>/<prefix>`);
  return z.NEVER;
});

export const archive = z.string().transform((text, context) => {
  const location = parseArchiveLocation(text);
  if (location !== null) return location;
  context.addIssue("is neither sqlite:<file> nor postgres://<user>@<host>/<database>");
  return z.NEVER;
});

export function wholeNumber(min: number, max: number) {
  return z.string().transform((text, context) => {
    if (/^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    context.addIssue(`${JSON.stringify(text)} is not a whole number from ${min} to ${max}`);
    return z.NEVER;
  });
}

/** Null for `never`. */
export function daysOrNever(max: number) {
  return z.string().transform((text, context) => {
    if (text === "never") return null;
    if (/^\d{1,12}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return Number(text);
    context.addIssue(`${JSON.stringify(text)} is neither a whole number from 1 to ${max} nor never`);
    return z.NEVER;
  });
}

export const optional = z.string().transform((text) => (text === "" ? null : text));

/** Of a log that is retained; a GiB is beyond what anybody reads. */
export const logBytes = z.string().transform((text, context) => {
  if (/^\d{1,10}$/.test(text) && Number(text) <= 2 ** 30) return Number(text);
  context.addIssue(`${JSON.stringify(text)} is not a number of bytes from 0 to 1073741824`);
  return z.NEVER;
});

/** A rate that somebody means: nothing gets through at 0, and a billion is no limit. */
export const perSecond = z.string().transform((text, context) => {
  const rate = Number(text);
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text) && rate >= 0.1) return rate;
  context.addIssue(`${JSON.stringify(text)} is not a number of requests a second, from 0.1 to 999999999`);
  return z.NEVER;
});

export const registry = z.string().transform((text, context) => {
  const match = /^(https?:\/\/)?([A-Za-z0-9.-]+(?::\d{1,5})?)\/?$/.exec(text);
  if (match?.[2] !== undefined) return { host: match[2], base: `${match[1] ?? "https://"}${match[2]}` };
  context.addIssue(`${JSON.stringify(text)} is not a registry's host:port`);
  return z.NEVER;
});

/** Keys and tokens go to it: in clear only where no network is in between. */
export const ownRegistry = registry.transform((address, context) => {
  if (address.base.startsWith("https:") || LOOPBACK.test(address.host)) return address;
  context.addIssue(`${address.host} is without TLS, which only a registry on loopback may be`);
  return z.NEVER;
});

export const shellImage = z.string().transform((text, context): readonly [name: string, reference: string] => {
  const [, name, reference] = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=([^\s=]{1,512})$/.exec(text) ?? [];
  if (name !== undefined && reference !== undefined) return [name, reference];
  context.addIssue(`${JSON.stringify(text)} is not name=reference`);
  return z.NEVER;
});

export const poolCommand = z.string().transform((text, context): readonly [name: string, program: string] => {
  const [, name, program] = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(\/[^\s=,]{1,512})$/.exec(text) ?? [];
  if (name !== undefined && program !== undefined) return [name, program];
  context.addIssue(`${JSON.stringify(text)} is not name=/absolute/path`);
  return z.NEVER;
});

export const allowRule = z.string().transform((text, context) => {
  const rule = parseAllowRule(text);
  if (rule !== null) return rule;
  context.addIssue(`${JSON.stringify(text)} is neither a range of addresses nor host:port`);
  return z.NEVER;
});

export const egressRule = z.string().transform((text, context) => {
  const rule = parseEgressRule(text);
  if (rule !== null) return rule;
  context.addIssue(`${JSON.stringify(text)} is not host, host:port, *.domain or *`);
  return z.NEVER;
});

/** `10.0.0.0/8`, or one address. */
export const addressRange = z.string().transform((text, context) => {
  const [address = "", bits, ...more] = text.split("/");
  const bitsMax = isIP(address) === 4 ? 32 : 128;
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
  if (isIP(address) !== 0 && isRange && more.length === 0) return text;
  context.addIssue(`${JSON.stringify(text)} is not a range of addresses`);
  return z.NEVER;
});

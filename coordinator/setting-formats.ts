/** How the text of a setting is read. */
import { z } from "zod";
import { parseAllowRule } from "./egress/allow-list.ts";

export const listen = z.string().transform((text, context) => {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match?.[1] !== undefined && port <= 65_535) return { host: match[1].replace(/^\[|\]$/g, ""), port };
  context.addIssue(`${JSON.stringify(text)} is not host:port`);
  return z.NEVER;
});

export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== ""),
);

export const optional = z.string().transform((text) => (text === "" ? null : text));

export const registry = z.string().transform((text, context) => {
  const match = /^(https?:\/\/)?([A-Za-z0-9.-]+(?::\d{1,5})?)\/?$/.exec(text);
  if (match?.[2] !== undefined) return { host: match[2], base: `${match[1] ?? "https://"}${match[2]}` };
  context.addIssue(`${JSON.stringify(text)} is not a registry's host:port`);
  return z.NEVER;
});

export const allowRule = z.string().transform((text, context) => {
  const rule = parseAllowRule(text);
  if (rule !== null) return rule;
  context.addIssue(`${JSON.stringify(text)} is neither a range of addresses nor host:port`);
  return z.NEVER;
});

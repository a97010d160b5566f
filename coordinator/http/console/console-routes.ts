/**
 * The web console: static files with hashed names below `/assets/`, and one page for every other path that a browser opens.
 * The page itself routes the path to one of its views.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../endpoint/fastify-app.ts";
import { pageHeaders } from "./content-security.ts";

const NONCE_BYTES = 16;
/** Stands in the page where the nonce of each response goes. */
const NONCE_PLACE = /__NONCE__/g;
/** A year: a file's name is of its content. */
const ASSETS_CACHED = "public, max-age=31536000, immutable";

export interface ConsolePages {
  /** Whether the request is a browser's that opens a page. */
  isFor(request: FastifyRequest): boolean;
  send(reply: FastifyReply): FastifyReply;
}

/** `folder` holds what console/ was built to. */
export async function consoleRoutes(app: App, folder: string): Promise<ConsolePages> {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  await app.register(fastifyStatic, {
    root: join(folder, "assets"),
    prefix: "/assets/",
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => reply.header("cache-control", ASSETS_CACHED),
  });
  return {
    isFor: ({ method, url, headers }) =>
      (method === "GET" || method === "HEAD") && !isOfApi(url) && (headers.accept ?? "").includes("text/html"),
    send(reply) {
      const nonce = randomBytes(NONCE_BYTES).toString("base64");
      return reply
        .code(200)
        .headers(pageHeaders(nonce))
        .type("text/html; charset=utf-8")
        .send(page.replace(NONCE_PLACE, nonce));
    },
  };
}

function isOfApi(url: string): boolean {
  return /^\/(v\d+|assets|healthz|readyz)(\/|\?|$)/.test(url);
}

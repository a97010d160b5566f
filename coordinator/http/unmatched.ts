/** Requests that no endpoint takes: the console where a browser opens a page, 405 where the path has other methods, else 404. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ConsolePages } from "./console/console-routes.ts";
import type { App } from "./endpoint/fastify-app.ts";
import { sendProblem } from "./problems/error-handler.ts";
import { Problem } from "./problems/problem.ts";

/** `pages` is null where there is no console. */
export function respondToUnmatched(app: App, pages: ConsolePages | null): void {
  const methodsOfPath = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsOfPath.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsOfPath.set(url, methods);
  });
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    if (pages?.isFor(request)) return pages.send(reply);
    const path = request.url.split("?", 1)[0] ?? "/";
    for (const [pattern, methods] of methodsOfPath) {
      if (!matches(pattern, path)) continue;
      const allow = [...methods].sort().join(", ");
      const detail = `${request.method} is not possible here; ${allow} is.`;
      return sendProblem(request, reply, new Problem("method_not_allowed", detail, { headers: { allow } }));
    }
    return sendProblem(request, reply, new Problem("route_not_found", "There is nothing at this path."));
  });
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(":") ? given[index] !== "" : part === given[index]))
  );
}

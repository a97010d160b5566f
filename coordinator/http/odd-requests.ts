/** Requests to which Node itself would respond, and not with a problem: other expectations than 100-continue, and CONNECT. */
import { PROBLEM_TYPE, problemJson } from "../public/problem-body.ts";
import type { App } from "./endpoint/fastify-app.ts";
import { refuseOnSocket } from "./problems/client-error.ts";
import { Problem } from "./problems/problem.ts";
import { requestIdOf } from "./request-head.ts";

export function respondToOddRequests({ server }: App): void {
  server.on("checkExpectation", (request, response) => {
    const detail = `The expectation ${JSON.stringify(request.headers.expect)} is not met here; only 100-continue is.`;
    const problem = new Problem("expectation_failed", detail);
    const requestId = requestIdOf(request);
    // What is still to come of the body is not read: the connection cannot be used again.
    response.writeHead(problem.status, {
      "content-type": PROBLEM_TYPE,
      "x-request-id": requestId,
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(problemJson(problem, requestId, request.url?.split("?", 1)[0]));
  });
  server.on("connect", (_request, socket) => {
    refuseOnSocket(socket, new Problem("method_not_allowed", "This is no proxy: CONNECT is not possible here."));
  });
}

/** Responds to what is not HTTP or broke off, as long as the socket is still writable. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { newId } from "@elastic/std/ids.ts";
import { PROBLEM_TYPE, problemJson } from "../../public/problem-body.ts";
import { isClosing } from "./closing-sockets.ts";
import { Problem } from "./problem.ts";

export function respondToClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  if (isClosing(socket)) {
    socket.end();
    return;
  }
  refuseOnSocket(socket, toProblem(error.code));
}

/** For what has no response to write to. */
export function refuseOnSocket(socket: Duplex, problem: Problem): void {
  const requestId = newId(Date.now());
  const body = problemJson(problem, requestId, undefined);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function toProblem(code: string | undefined): Problem {
  if (code === "HPE_HEADER_OVERFLOW") return new Problem("headers_too_large", "The headers are larger than 16 KiB.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Problem("request_timeout", "The request took too long to come.");
  return new Problem("bad_request", "This is not a well-formed HTTP request.");
}

/** What a client knows of a create by the status of its response, which is how recorders write it down. */

/**
 * `fail` states that there is no task, and the checker finds every task that such a create made. So only a response that
 * rejects the request itself is one. After a time-out (408), an error of the server or of a proxy, or a status that
 * no create of this service has, there may be a task.
 */
export function createOutcome(status: number): "ok" | "fail" | "info" {
  if (status === 201) return "ok";
  return status >= 400 && status < 500 && status !== 408 ? "fail" : "info";
}

/** The side of a load process: takes orders from its parent, one at a time, and responds to each with a report. */
import type { LoadOrder, Submit } from "./load.ts";
import { runLoad } from "./run-load.ts";

/** `submits` has what may be ordered, by name. */
export function serveOrders(submits: Readonly<Record<string, Submit>>): void {
  process.on("message", (order: LoadOrder) => {
    const submit = submits[order.what];
    const result =
      submit === undefined ? Promise.reject(new Error(`nothing named ${order.what}`)) : runLoad(order, submit);
    result.then(
      (report) => process.send?.({ report }),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ ready: true });
}

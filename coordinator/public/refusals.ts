/** The refusals of an endpoint, for its schema. */
import { problemSchema } from "./problem-body.ts";

type Refusals<S extends number> = { readonly [status in S]: typeof problemSchema };

export function refusals<S extends number>(...statuses: readonly S[]): Refusals<S> {
  return Object.fromEntries(statuses.map((status) => [status, problemSchema])) as Refusals<S>;
}

/** The records of the HTTP interface that this client returns, and the fields of its requests. */
import type { components, operations } from "../gen/schema.ts";

type Schemas = components["schemas"];
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]["parameters"]["query"]>;

export type Task = Schemas["Task"];
export type Batch = Schemas["Batch"];
export type TaskEvent = Schemas["TaskEvent"];
export type TaskProgressEvent = Schemas["TaskProgressEvent"];
export type Service = Schemas["Service"];
export type Deployment = Schemas["Deployment"];
export type Build = Schemas["Build"];
export type Webhook = Schemas["Webhook"];
export type Delivery = Schemas["Delivery"];
export type Upload = Schemas["Upload"];
/** Which tasks a list has. */
export type TaskFilter = Omit<Query<"listTasks">, "page" | "size" | "cursor">;

import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { taskSchema } from "../../public/task-record.ts";
import { taskRequestSchema } from "../../public/task-request.ts";
import { idempotencyHeaders } from "../idempotency/create-once.ts";
import { waitQuery } from "./wait-for-end.ts";

export const createTaskSchema = {
  operationId: "createTask",
  summary: "Create a task",
  tags: ["tasks"],
  params: z.object({ id: z.string().describe("The service.") }),
  querystring: waitQuery,
  headers: idempotencyHeaders,
  body: taskRequestSchema,
  response: { 201: taskSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503, 507) },
};

import { z } from "zod";
import { refusals } from "../wire/refusals.ts";
import { taskSchema } from "../wire/task-record.ts";
import { waitQuery } from "./wait-answer.ts";

export const createTaskSchema = {
  operationId: "createTask",
  summary: "Create a task",
  tags: ["tasks"],
  params: z.object({ id: z.string().describe("The service.") }),
  querystring: waitQuery,
  body: z
    .looseObject({ input: z.unknown().describe("Handed to the prover byte for byte. At most 10 MiB.") })
    .describe("Keys beside `input` are ignored; a key that stands twice is refused."),
  response: { 201: taskSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

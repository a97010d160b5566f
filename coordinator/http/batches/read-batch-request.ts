/** The request for a batch: its inputs as they were sent, and options that hold for all of its tasks. Other keys are ignored. */
import type { Span } from "@elastic/std/json/json-scanner.ts";
import { cutInputs } from "../../batches/cut-inputs.ts";
import { INPUT_BYTES_MAX } from "../../domain/limits.ts";
import { BATCH_BYTES_MAX, BATCH_INPUTS_MAX } from "../../domain/task-batch.ts";
import { budgetsOf } from "../../public/task-request.ts";
import { passGate } from "../body/json-gate.ts";
import { sentence } from "../body/raw-json.ts";
import { invalidRequest, Problem } from "../problems/problem.ts";
import { LARGER_INPUTS, readOptions, type TaskRequest } from "../tasks/read-task-request.ts";

const WANTED: ReadonlySet<string> = new Set(["inputs", "priority", "limits"]);
const OPEN_ARRAY = 0x5b;

export interface BatchRequest extends Pick<TaskRequest, "priority" | "budgets"> {
  readonly inputs: readonly Buffer[];
  readonly inputsAt: Span;
}

export async function readBatchRequest(body: Buffer): Promise<BatchRequest> {
  const outcome = await passGate(body, WANTED);
  if (outcome.kind === "refused") throw new Problem(outcome.code, sentence(outcome.detail));
  const inputsAt = outcome.found.get("inputs");
  if (inputsAt === undefined) throw new Problem("input_missing", "The body has no `inputs`; give an array of them.");
  if (body[inputsAt.start] !== OPEN_ARRAY)
    throw new Problem("input_missing", "`inputs` of the body is no array; give an array, of one input or several.");
  const options = readOptions(body, outcome.found);
  const inputs = await cutInputs(body, inputsAt, BATCH_INPUTS_MAX);
  refuseCount(inputs.length);
  refuseSizes(inputs);
  return { inputs, inputsAt, priority: options.priority ?? 0, budgets: budgetsOf(options) };
}

function refuseCount(count: number): void {
  if (count > 0 && count <= BATCH_INPUTS_MAX) return;
  throw invalidRequest([{ pointer: "#/inputs", detail: `1 to ${BATCH_INPUTS_MAX} inputs` }]);
}

function refuseSizes(inputs: readonly Buffer[]): void {
  let bytes = 0;
  for (const [index, { length }] of inputs.entries()) {
    bytes += length;
    if (length <= INPUT_BYTES_MAX) continue;
    const errors = [{ pointer: `#/inputs/${index}`, detail: `at most ${INPUT_BYTES_MAX} bytes` }];
    throw new Problem("input_too_large", `An input has ${length} bytes. ${LARGER_INPUTS}`, { errors });
  }
  if (bytes <= BATCH_BYTES_MAX) return;
  const detail = `The inputs have ${bytes} bytes together, at most ${BATCH_BYTES_MAX} come in a batch. Send several batches.`;
  throw new Problem("input_too_large", detail);
}

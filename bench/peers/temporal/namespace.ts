/** The namespace of the workflows, which a new server does not have. */
import { setTimeout as delay } from "node:timers/promises";
import { Connection, isGrpcServiceError } from "@temporalio/client";
import { msToTs } from "@temporalio/common/lib/time.js";

const RETENTION = msToTs("1 day");
const ALREADY_EXISTS = 6;
/** The server begins to serve a while after it has started, and its services learn of a namespace a while after it was made. */
const WITHIN_MS = 60_000;

/** Resolves once workflows can be started in it. */
export async function makeNamespace(address: string, namespace: string): Promise<void> {
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    try {
      return await make(address, namespace);
    } catch (error) {
      if (Date.now() > end) throw error;
      await delay(200);
    }
  }
}

async function make(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: "2s" });
  try {
    const { workflowService } = connection;
    const made = { namespace, workflowExecutionRetentionPeriod: RETENTION };
    await workflowService.registerNamespace(made).catch((error: unknown) => {
      if (!isGrpcServiceError(error) || error.code !== ALREADY_EXISTS) throw error;
    });
    await workflowService.listWorkflowExecutions({ namespace, pageSize: 1 });
  } finally {
    await connection.close();
  }
}

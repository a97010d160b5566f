/** What is posted for a delivery: `{type, timestamp, data}`, below 20 kB whatever it is about. */
import type { Delivery } from "./delivery.ts";

/** Of every attempt, next to the id and the signature. */
export const MESSAGE_HEADERS = { "content-type": "application/json", "user-agent": "elastic-webhooks" } as const;

/** A body is below this: what receivers and the queues behind them accept by default. */
const BODY_BYTES_MAX = 20_000;

/**
 * The data of a delivery, as JSON text of at most `bytesMax` bytes; null when its subject is gone. Built again
 * for each try, so that the links in it are fresh.
 */
export type DescribeEvent = (delivery: Delivery, bytesMax: number) => Promise<string | null>;

export async function messageOf(delivery: Delivery, describe: DescribeEvent): Promise<string | null> {
  const timestamp = new Date(delivery.createdAt).toISOString();
  const head = `{"type":${JSON.stringify(delivery.type)},"timestamp":"${timestamp}","data":`;
  const data = await describe(delivery, BODY_BYTES_MAX - 1 - Buffer.byteLength(head) - 1);
  return data === null ? null : `${head}${data}}`;
}

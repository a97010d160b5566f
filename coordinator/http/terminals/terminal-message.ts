/**
 * What travels on a terminal's WebSocket. Binary messages are input and output. Text messages are JSON: sizes and
 * acknowledgements from the client; acknowledgements, lines to show and the exit code from here.
 */
import { z } from "zod";
import { COLUMNS_MAX, ROWS_MAX, WINDOW_BYTES } from "./terminal-limits.ts";

const clientMessage = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("resize"),
    columns: z.int().min(1).max(COLUMNS_MAX),
    rows: z.int().min(1).max(ROWS_MAX),
  }),
  /** So many bytes of output more have been shown. */
  z.strictObject({
    type: z.literal("ack"),
    bytes: z
      .int()
      .min(1)
      .max(2 * WINDOW_BYTES),
  }),
]);

export type ClientMessage = z.output<typeof clientMessage>;

export type ServerMessage =
  /** So many bytes of input more have been taken. */
  | { readonly type: "ack"; readonly bytes: number }
  | { readonly type: "notice"; readonly text: string }
  /** Null where it is not known. */
  | { readonly type: "exit"; readonly code: number | null };

/** Null for what is no message of a terminal. */
export function parseClientMessage(text: string): ClientMessage | null {
  try {
    return clientMessage.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Codes of RFC 6455, and one for applications; clients decide by them whether to connect again. */
export const CLOSE = {
  /** The login shell exited. */
  exited: 1000,
  /** This coordinator stops: connect again. */
  stopping: 1001,
  /** What the client sent is against the protocol. */
  violation: 1008,
  /** The connection to the shell's machine was lost: connect again in a moment. */
  tryAgain: 1013,
  /** The shell has stopped, the caller may no longer use it, or nobody did. */
  ended: 4000,
} as const;

/** RFC 6455, 5.5: of a control frame, without the code. */
const REASON_BYTES_MAX = 123;

/** As much of the text as a close frame can carry. */
export function closeReason(text: string): string {
  let reason = text;
  while (Buffer.byteLength(reason) > REASON_BYTES_MAX) reason = reason.slice(0, -1);
  return reason.isWellFormed() ? reason : reason.slice(0, -1);
}

/** Why something waits, in public JSON. */
import { z } from "zod";
import { WAITING_REASONS } from "../domain/waiting.ts";

export const waitingSchema = z.object({ reason: z.enum(WAITING_REASONS), message: z.string() }).nullable();

import { z } from "zod";

export const idSchema = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .describe("32 lower-case hexadecimal characters.");

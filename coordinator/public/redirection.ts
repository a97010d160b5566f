/** For the schema of an endpoint that leads a browser on. */
import { z } from "zod";

export const redirectionSchema = z.null().describe("Leads on to the address in `Location`.");

import { z } from "zod";
import { isName, NAME_RULE } from "../domain/team.ts";

/** A name that a person gives to something. */
export const nameSchema = z.string().refine(isName, NAME_RULE).describe(NAME_RULE);

import { z } from "zod";
import { SCOPES } from "../domain/access-key.ts";

export const scopeSchema = z
  .enum(SCOPES)
  .meta({ id: "Scope", description: "What a key may do; `admin` is all of it." });

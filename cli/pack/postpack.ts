/** After `npm pack`. */
import { removePacked } from "./packed-folders.ts";

removePacked();

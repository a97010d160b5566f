import { OR_PART_OF_ID } from "../ids/choose-id.ts";

/** How a shell is named to a command. */
export const SHELL_WORDS = `its name or its id, ${OR_PART_OF_ID}`;

import { OR_PART_OF_ID } from "../ids/choose-id.ts";

/** How a build on the fleet is named to a command. */
export const BUILD_ARGUMENT = `id that build --remote printed, or of a build of the service its tag, ${OR_PART_OF_ID}`;

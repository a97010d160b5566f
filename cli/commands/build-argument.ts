/** How a build on the fleet is named to a command. */
export const BUILD_ARGUMENT =
  "id that build --remote printed, or of a build of the service its tag or at least the first 8 digits of its id";

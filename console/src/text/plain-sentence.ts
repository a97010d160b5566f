/** Sentences of the API name codes and fields between backticks: here they are read by people who see them as typed. Pure. */

export function plainSentence(sentence: string): string {
  return sentence.replaceAll(/`([^`]*)`/g, "$1");
}

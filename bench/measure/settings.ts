/** What a load process was started with. */
export function readSettings<T>(): T {
  const [, , text] = process.argv;
  if (text === undefined) throw new Error("a load process is started with its settings");
  return JSON.parse(text) as T;
}

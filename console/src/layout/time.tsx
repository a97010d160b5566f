/** A time of the service, in the reader's time zone; the service's own form is its title. */

export function Time({ of }: { readonly of: string }) {
  const date = new Date(`${of}Z`);
  return (
    <time dateTime={`${of}Z`} title={`${of} UTC`}>
      {date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })}
    </time>
  );
}

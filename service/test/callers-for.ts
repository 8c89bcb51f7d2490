/**
 * Returns the callers for a test of an endpoint: all of them for the endpoints in `withAll` and in `pnpm test:full`. For the
 * others the first of each sort, because the same code decides for all endpoints.
 * @param sortOf the properties that determine what a caller may do.
 */
export function callersFor<Name extends string, Caller>(
  callers: readonly Caller[],
  withAll: readonly Name[],
  sortOf: (caller: Caller) => readonly unknown[],
): (name: Name) => readonly Caller[] {
  const seen = new Set<string>();
  const firsts = callers.filter(caller => {
    const sort = JSON.stringify(sortOf(caller));
    return !seen.has(sort) && seen.add(sort);
  });
  const isFull = process.env['TEST_FULL'] !== undefined;
  return name => (isFull || withAll.includes(name) ? callers : firsts);
}

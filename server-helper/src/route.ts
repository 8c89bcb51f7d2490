export interface Route {
  readonly name:
    | 'widget-token'
    | 'connect-link'
    | 'agent-sign-in'
    | 'connectors'
    | 'connector'
    | 'execute'
    | 'events';
  /** Of the connector in the path, not yet validated; empty if the route has none. */
  readonly id: string;
}

/**
 * Returns the route of a path, or null.
 * @param path without the query, e.g. `/connectors/7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11`.
 * @param start `^` if the path is below the helper's mount path; otherwise any mount path can precede the route.
 */
export function findRoute(path: string, start: '^' | '' = ''): Route | null {
  for (const [name, pattern] of patterns) {
    const match = new RegExp(`${start}${pattern}/?$`, 'i').exec(path);
    if (match !== null) return { name, id: match[1] ?? '' };
  }
  return null;
}

const patterns: ReadonlyMap<Route['name'], string> = new Map([
  ['widget-token', '/widget-token'],
  ['connect-link', '/connect-link'],
  ['agent-sign-in', '/agent-sign-in'],
  ['events', '/events'],
  ['connectors', '/connectors'],
  ['execute', '/connectors/([^/]+)/execute'],
  ['connector', '/connectors/([^/]+)'],
]);

/** One of the helper's routes, with the allowed methods. */
export type Route =
  | { readonly name: 'widget-token'; readonly methods: readonly ['POST'] }
  | { readonly name: 'connect-link'; readonly methods: readonly ['GET'] }
  | { readonly name: 'connectors'; readonly methods: readonly ['GET'] }
  | { readonly name: 'connector'; readonly methods: readonly ['GET', 'DELETE']; readonly id: string }
  | { readonly name: 'execute'; readonly methods: readonly ['POST']; readonly id: string };

/** Ids in paths and queries. */
export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the route of a path below the helper's mount path, or null.
 * @param path without the query, e.g. `/connectors/7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11`.
 */
export function findRoute(path: string): Route | null {
  return matchRoute(path, '^');
}

/** Like {@link findRoute}, but accepts any mount path before the route. */
export function findMountedRoute(path: string): Route | null {
  return matchRoute(path, '');
}

function matchRoute(path: string, start: '^' | ''): Route | null {
  const match = (route: string) => new RegExp(`${start}${route}/?$`, 'i').exec(path);
  if (match('/widget-token')) return { name: 'widget-token', methods: ['POST'] };
  if (match('/connect-link')) return { name: 'connect-link', methods: ['GET'] };
  if (match('/connectors')) return { name: 'connectors', methods: ['GET'] };
  const execute = match('/connectors/([^/]+)/execute');
  if (execute) return { name: 'execute', methods: ['POST'], id: execute[1] ?? '' };
  const connector = match('/connectors/([^/]+)');
  if (connector) return { name: 'connector', methods: ['GET', 'DELETE'], id: connector[1] ?? '' };
  return null;
}

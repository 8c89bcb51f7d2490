import type { Plugin } from 'vite';
import { adminEndpoints, auditActions } from '../../api/src/admin.ts';

const id = 'virtual:admin-routes';

/**
 * Provides the method and path of every endpoint for operators and the names of audit entries as the module
 * `virtual:admin-routes`, so that the schemas of the contract are not part of the bundle.
 */
export function adminRoutes(): Plugin {
  const routes = Object.fromEntries(
    Object.entries(adminEndpoints).map(([name, { method, path }]) => [name, [method, path]]),
  );
  return {
    name: 'admin-routes',
    resolveId: source => (source === id ? `\0${id}` : null),
    load: resolved =>
      resolved === `\0${id}`
        ? `export default ${JSON.stringify(routes)}; export const auditActions = ${JSON.stringify(auditActions)};`
        : null,
  };
}

import type { Plugin } from 'vite';
import { adminEndpoints, auditActions, events, maxLiveSecrets } from '../../api/src/admin.ts';

const id = 'virtual:admin-contract';

/**
 * Provides the method and path of every endpoint for operators, the names of audit entries, the events of webhooks and limits as the module
 * `virtual:admin-contract`, so that the schemas of the contract are not part of the bundle.
 */
export function adminContract(): Plugin {
  const routes = Object.fromEntries(
    Object.entries(adminEndpoints).map(([name, { method, path }]) => [name, [method, path]]),
  );
  const eventSummaries = Object.fromEntries(
    Object.entries(events).map(([name, { summary }]) => [name, summary]),
  );
  return {
    name: 'admin-contract',
    resolveId: source => (source === id ? `\0${id}` : null),
    load: resolved =>
      resolved === `\0${id}`
        ? `export default ${JSON.stringify(routes)}; export const auditActions = ${JSON.stringify(auditActions)}; export const maxLiveSecrets = ${maxLiveSecrets}; export const eventSummaries = ${JSON.stringify(eventSummaries)};`
        : null,
  };
}

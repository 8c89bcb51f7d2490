import type { Feature } from '../../shared/feature.ts';
import { createAuthorizationServer } from './authorization-server/authorization-server.ts';

/** Lets people allow chat clients and apps, the agents, to use a customer's data. */
export function agents(core: Parameters<typeof createAuthorizationServer>[0]) {
  const server = createAuthorizationServer(core);
  return { pages: server.pages, start: server.start } satisfies Feature;
}

import { Router } from 'express';
import type { VerifyAgentToken } from '../../shared/auth/agent-token.ts';
import type { Feature } from '../../shared/feature.ts';
import { createAuthorizationServer } from './authorization-server/authorization-server.ts';
import { verifyAccessToken } from './authorization-server/store.ts';
import { startAgentCleanup } from './cleanup.ts';
import { agentAdminRoutes, agentRoutes } from './routes.ts';
import { confirmAgentSignIn } from './sign-in/confirm.ts';
import { mountSignInPages } from './sign-in/routes.ts';

/** Lets people allow chat clients and apps, the agents, to use a customer's data. */
export function agents(
  core: Parameters<typeof createAuthorizationServer>[0] & Parameters<typeof mountSignInPages>[0],
) {
  const { db, anonymous } = core;
  const server = createAuthorizationServer(core);
  const verifyToken: VerifyAgentToken = (token, resource) => verifyAccessToken(anonymous, token, resource);
  const feature = {
    handlers: { ...agentRoutes(db), confirmAgentSignIn: call => confirmAgentSignIn(core, call) },
    adminHandlers: agentAdminRoutes(db),
    pages: (): Router => Router().use(server.pages(), mountSignInPages(core, server.requests)),
    start: () => startAgentCleanup(core, server.deleteOldRecords),
  } satisfies Feature;
  return { ...feature, verifyToken };
}

import type { AuditAction } from '@connector-auth/api';
import express, { Router, type Request, type Response } from 'express';
import { limitPerMinute } from '../../../platform/concurrency/rate-limit.ts';
import { agentName } from '../../../shared/auth/agent-token.ts';
import type { Needs } from '../../../shared/core.ts';
import { isOwnForm } from '../../../shared/http/fetch-metadata.ts';
import { redirectTo } from '../../../shared/pages/leaving.ts';
import { exceedsLimit } from '../../../shared/pages/limit.ts';
import { isAgentSignInEnabled } from '../../../shared/repositories/agents.ts';
import { findOrganization } from '../../../shared/repositories/organizations.ts';
import type { AgentRequest, AgentRequests } from '../authorization-server/authorization-server.ts';
import { consentOf, findQuestion, preselected, readSelection, type Question } from './consent.ts';
import { sendSignInPage, type View } from './page/page.ts';
import {
  deleteSignIn,
  endReturnCode,
  findConfirmed,
  issueCode,
  storeConsent,
  takeReturnCode,
  type Consent,
} from './store.ts';

type Need = 'anonymous' | 'kinds' | 'publicUrl' | 'clock' | 'log' | 'audit';

const path = '/agents/sign-in/:id';

/**
 * Serves the pages on which a person decides what a client may do. The authorization server sends the browser here, and its
 * cookie must be that of the request. The integrator's helper then confirms who the person is.
 */
export function mountSignInPages(
  { anonymous: db, kinds, publicUrl, clock, log, audit }: Needs<Need>,
  requests: AgentRequests,
): Router {
  const { origin, pathname } = new URL(publicUrl);
  const basePath = pathname.replace(/\/$/, '');
  const limit = limitPerMinute('agent-sign-in-pages', 60, clock);
  const send = (response: Response, view: View): void => sendSignInPage(response, { basePath, view });

  const logRejection = ({ req, locals }: Response, step: string, request: AgentRequest | null): void =>
    log.warn('agent_sign_in_rejected', {
      request_id: locals.requestId,
      step,
      address: req.ip,
      organization_id: request?.organizationId ?? null,
    });

  /** Finds the request of this browser. Otherwise sends the page that says why not. */
  const findRequest = async (request: Request, response: Response): Promise<AgentRequest | null> => {
    response.locals.route = '/agents/sign-in/{id}';
    if (exceedsLimit(limit, response, log)) {
      send(response, { name: 'busy' });
      return null;
    }
    const { id = '' } = request.params as Readonly<Record<string, string>>;
    const found = await requests.find(request, response, id);
    if (found === null) {
      const { return: returnCode } = request.query;
      if (typeof returnCode === 'string') await endReturnCode(db, id, returnCode);
      logRejection(response, 'open', null);
      send(response, { name: 'ended' });
    }
    return found;
  };

  const sendNoAccess = async (response: Response, request: AgentRequest): Promise<void> =>
    send(response, {
      name: 'noAccess',
      request,
      organization: await findOrganization(db, request.organizationId),
    });

  const router = Router({ caseSensitive: true });

  // The authorization server's library is loaded only if an organization uses it.
  router.use(path, async (_request, _response, next) =>
    (await isAgentSignInEnabled(db)) ? next() : next('router'),
  );

  router.get(path, async (request, response) => {
    const asked = await findRequest(request, response);
    if (asked === null) return;
    const { return: returnCode } = request.query;
    if (typeof returnCode === 'string') {
      const isConfirmed =
        (await takeReturnCode(db, asked, returnCode)) || (await findConfirmed(db, asked)) !== null;
      if (isConfirmed) return redirectTo(response, `${basePath}/agents/sign-in/${asked.id}`);
      logRejection(response, 'return', asked);
      return send(response, { name: 'late', request: asked });
    }
    if (request.query['no_access'] !== undefined) return sendNoAccess(response, asked);
    const question = await findQuestion(db, kinds, asked);
    if (question !== null) {
      if (question.scopes.length === 0) return sendNoAccess(response, asked);
      return send(response, {
        name: 'asking',
        question,
        selection: preselected(question),
        isIncomplete: false,
      });
    }
    const { connect_helper_url: helperUrl } = await findOrganization(db, asked.organizationId);
    if (helperUrl === null) return sendNoAccess(response, asked);
    const target = new URL(`${helperUrl}/agent-sign-in`);
    target.searchParams.set('sign_in', asked.id);
    target.searchParams.set('code', await issueCode(db, asked));
    redirectTo(response, target.href);
  });

  router.post(path, express.urlencoded({ extended: false, limit: '32kb' }), async (request, response) => {
    const asked = await findRequest(request, response);
    if (asked === null) return;
    if (!isOwnForm(origin, request.headers)) {
      logRejection(response, 'decide', asked);
      return redirectTo(response, `${basePath}/agents/sign-in/${asked.id}`);
    }
    const form = Object(request.body) as Readonly<Record<string, unknown>>;
    if (form['answer'] !== 'allow') {
      await deleteSignIn(db, asked);
      log.info('agent_denied', {
        request_id: response.locals.requestId,
        organization_id: asked.organizationId,
      });
      return send(response, { name: 'leaving', target: await requests.deny(request, response) });
    }
    const question = await findQuestion(db, kinds, asked);
    // Someone else may have signed in since, in another tab.
    if (question === null || form['confirmed'] !== question.signIn.confirmedAt.toISOString()) {
      return send(response, { name: 'late', request: asked });
    }
    const selection = readSelection(form);
    const consent = consentOf(question, selection, kinds);
    if (consent === null) return send(response, { name: 'asking', question, selection, isIncomplete: true });
    const agentId = await storeConsent(db, asked, question.signIn.confirmedAt, consent);
    if (agentId === null) {
      logRejection(response, 'decide', asked);
      return send(response, { name: 'late', request: asked });
    }
    recordConsent(response, question, consent, agentId);
    send(response, { name: 'leaving', target: await requests.allow(request, response, agentId) });
  });

  function recordConsent(
    { req, locals }: Response,
    { request: { organizationId }, signIn: { customerId, applicationId, userName } }: Question,
    { client }: Consent,
    agentId: string,
  ): void {
    const action: AuditAction = 'agent.authorized';
    log.info('agent_authorized', {
      request_id: locals.requestId,
      agent_id: agentId,
      organization_id: organizationId,
      customer_id: customerId,
      application_id: applicationId,
      address: req.ip,
    });
    audit.record({
      actor: {
        type: 'agent',
        id: agentId,
        name: agentName({ clientHost: client.host, clientName: client.name, userName }),
        tokenId: null,
      },
      organizationId,
      customer: { id: customerId, name: null },
      connectorId: null,
      kind: null,
      entity: null,
      applicationId: null,
      action,
      targetId: agentId,
      outcome: 'ok',
      records: null,
      requestId: locals.requestId,
      address: req.ip ?? null,
    });
  }

  return router;
}

import { ConnectorAuthError, uuid, type AuditAction, type Clock } from '@connector-auth/api';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import type { AuditLog } from '../../../platform/audit-log/audit-log.ts';
import type { AuditEntry } from '../../../platform/audit-log/entry.ts';
import { addressKey, type RateLimit } from '../../../platform/concurrency/rate-limit.ts';
import type { Log, LogFields } from '../../../platform/log/log.ts';
import type { SignedToken } from '../../../shared/auth/token-signer.ts';
import type { KindRegistry } from '../../../shared/definitions/registry.ts';
import { maxBodyKiB, readJsonBody } from '../../../shared/http/body.ts';
import { isOwnFetch, isOwnForm } from '../../../shared/http/fetch-metadata.ts';
import { exceedsLimit } from '../../../shared/pages/limit.ts';
import { linkEndedError } from '../../../shared/tenancy/links.ts';
import {
  confirmGuest,
  confirmVisit,
  findVisit,
  issueCode,
  openVisit,
  type LinkSources,
  type StoredLink,
  type Visit,
} from '../store.ts';
import { visitCookie } from './cookie.ts';
import { sendLinkPage } from './page.ts';
import { viewOf, type View } from './view.ts';
import { findBuiltWidget, serveWidget } from './widget-files.ts';

export interface LinkPagesContext extends LinkSources {
  readonly kinds: KindRegistry;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly audit: Pick<AuditLog, 'record'>;
  /** Public base URL, without a trailing slash. */
  readonly publicUrl: string;
  /** Limits the requests of each address that change something. */
  readonly limitByAddress: RateLimit;
  /** Mints the widget token of a confirmed visit. */
  readonly mintToken: (visit: Visit) => Promise<SignedToken>;
  /** The folder with the built widget. Default: the one in the package. */
  readonly widgetFolder?: string | null;
}

const route = '/connect/{id}';

/**
 * Serves the pages of connect links, which a browser reaches without a token. GET changes nothing, so that mail scanners
 * and previews are harmless: the link's secret is in the fragment, which only the page's script sends. Without the
 * browser's cookie, all pages are the same, whether the link exists or not.
 */
export function mountLinkPages(context: LinkPagesContext): Router {
  const { db, kinds, clock, log, audit, publicUrl, limitByAddress, mintToken } = context;
  const { widgetFolder = findBuiltWidget() } = context;
  const { origin, pathname } = new URL(publicUrl);
  const basePath = pathname.replace(/\/$/, '');
  const cookie = visitCookie(publicUrl, clock);
  const widget = widgetFolder === null ? null : serveWidget(widgetFolder);
  if (widget === null) {
    log.warn('widget_missing', {
      hint: 'The widget was not built, so connect links do not work. Run `pnpm build`, then restart the service.',
    });
  }
  const pages = { kinds, basePath, clock, widgetPath: widget?.scriptPath ?? null };

  const findOwnVisit = async (request: Request, id: string): Promise<Visit | null> => {
    const browserKey = cookie.read(id, request.headers.cookie);
    return browserKey === null ? null : findVisit(context, { id, browserKey });
  };
  const send = (response: Response, linkId: string, view: View, status = statusOf(view)): void =>
    sendLinkPage(response, pages, { linkId, view, status });

  const logRejection = (
    { req, locals }: Response,
    step: string,
    id: string | undefined,
    reason: string,
  ): void =>
    log.warn('link_rejected', {
      request_id: locals.requestId,
      link_id: id ?? null,
      step,
      reason,
      address: req.ip,
    });

  /** Handles a request of the page's script, with the link's id and the request's body. */
  const forScript =
    (handle: (request: Request, response: Response, id: string) => Promise<unknown>): RequestHandler =>
    async (request, response) => {
      const step = request.path.slice(request.path.lastIndexOf('/') + 1);
      response.locals.route = `${route}/${step}`;
      limitByAddress.take(addressKey(request.ip ?? ''));
      const { data: id } = uuid.safeParse(request.params['id']);
      try {
        if (!isOwnFetch(origin, request.headers)) {
          throw new ConnectorAuthError(
            'origin_not_allowed',
            `Only the pages of ${origin} can send this request`,
          );
        }
        if (id === undefined) throw linkNotFound();
        const body = await handle(request, response, id);
        response.set('Cache-Control', 'no-store');
        if (body === undefined) response.status(204).end();
        else response.json(body);
      } catch (error) {
        if (error instanceof ConnectorAuthError) logRejection(response, step, id, error.code);
        throw error;
      }
    };

  const router = Router({ caseSensitive: true });
  if (widget !== null) router.use(widget.router);

  router.get('/connect/:id', async (request, response, next) => {
    const id = uuid.safeParse(request.params.id);
    if (!id.success) return next('router');
    response.locals.route = route;
    send(response, id.data, viewOf(await findOwnVisit(request, id.data)));
  });

  router.post(
    '/connect/:id/open',
    forScript(async (request, response, id) => {
      const { secret } = await readBody(request, secretBody);
      const opened = await openVisit(context, { id, secret });
      if (opened === null) throw linkNotFound();
      const { link, browserKey } = opened;
      if (browserKey === null) throw linkEndedError(link.status);
      response.append('Set-Cookie', cookie.set(id, browserKey, link.expiresAt));
      log.info('link_opened', logFields(response, link));
    }),
  );

  router.post(
    '/connect/:id/return',
    forScript(async (request, response, id) => {
      const { code } = await readBody(request, codeBody);
      const visit = await findOwnVisit(request, id);
      if (visit === null || !(await confirmVisit(db, visit, code))) {
        throw new ConnectorAuthError(
          'link_code_invalid',
          'The code is of another browser, has expired or was already used: open the link again',
        );
      }
      log.info('link_confirmed', logFields(response, visit.link));
      audit.record(entryOf(visit.link, 'connect_link.returned', response));
    }),
  );

  router.post(
    '/connect/:id/token',
    forScript(async (request, response, id) => {
      const visit = await findOwnVisit(request, id);
      if (visit === null) throw linkNotFound();
      const { link } = visit;
      const { token, tokenId, expiresInSeconds } = await mintToken(visit);
      log.info('token_minted', {
        ...logFields(response, link),
        kind: 'widget',
        token_id: tokenId,
        application_id: link.applicationId,
        customer_id: link.customerId,
      });
      return { token, expires_in: expiresInSeconds, service_url: publicUrl };
    }),
  );

  router.post('/connect/:id/confirm', async (request, response, next) => {
    const id = uuid.safeParse(request.params.id);
    if (!id.success) return next('router');
    response.locals.route = `${route}/confirm`;
    if (exceedsLimit(limitByAddress, response, log)) {
      return send(response, id.data, { name: 'obstacle', obstacle: 'busy', link: null }, 429);
    }
    const reject = (reason: string): void => {
      logRejection(response, 'continue', id.data, reason);
      backToPage(response, id.data);
    };
    if (!isOwnForm(origin, request.headers)) return reject('origin_not_allowed');
    const visit = await findOwnVisit(request, id.data);
    if (visit === null) return reject('link_not_found');
    const view = viewOf(visit);
    if (view.name === 'obstacle') return reject(`link_${view.obstacle}`);
    if (view.name !== 'asking') return backToPage(response, id.data);
    if (view.helperUrl === null) {
      if (!(await confirmGuest(db, visit))) return reject('link_taken');
      log.info('link_confirmed', logFields(response, visit.link));
      audit.record(entryOf(visit.link, 'connect_link.confirmed', response));
      return backToPage(response, id.data);
    }
    const target = new URL(`${view.helperUrl}/connect-link`);
    target.searchParams.set('link', id.data);
    target.searchParams.set('code', await issueCode(db, visit));
    send(response, id.data, { name: 'leaving', link: visit.link, target: target.href });
  });

  /** Shows the current page of a link, which a reload does not submit again. */
  function backToPage(response: Response, id: string): void {
    response
      .status(303)
      .set({ Location: `${basePath}/connect/${id}`, 'Cache-Control': 'no-store' })
      .end();
  }

  return router;
}

const secretBody = z.strictObject({ secret: z.string().max(200) });
const codeBody = z.strictObject({ code: z.string().max(200) });

/** Returns the body of a request. Throws `malformed_request` without repeating what was sent. */
async function readBody<Body>(request: Request, schema: z.ZodType<Body>): Promise<Body> {
  const body = schema.safeParse(await readJsonBody(request, maxBodyKiB.withoutToken));
  if (body.success) return body.data;
  throw new ConnectorAuthError('malformed_request', 'The body is not what the page of a link sends');
}

function logFields({ req, locals }: Response, { id, organizationId }: StoredLink): LogFields {
  return { request_id: locals.requestId, link_id: id, organization_id: organizationId, address: req.ip };
}

/**
 * Returns the audit log's entry of a person's browser: a guest who accepts a link, or a customer's person who comes back
 * from the helper, whose confirmation leaves an entry of its own.
 */
function entryOf(link: StoredLink, action: AuditAction, { req, locals }: Response): AuditEntry {
  return {
    // As for what the page's token does afterwards.
    actor: { type: 'customer_token', id: link.applicationId, name: null, tokenId: null },
    organizationId: link.organizationId,
    customer: { id: link.customerId, name: link.customerName },
    connectorId: link.targetId,
    kind: link.kind,
    entity: null,
    applicationId: null,
    action,
    targetId: link.id,
    outcome: 'ok',
    records: null,
    requestId: locals.requestId,
    address: req.ip ?? null,
  };
}

function linkNotFound(): ConnectorAuthError {
  return new ConnectorAuthError('link_not_found', 'No link has this address');
}

function statusOf(view: View): number {
  if (view.name !== 'obstacle') return 200;
  return view.obstacle === 'unavailable' || view.obstacle === 'taken' ? 409 : 410;
}

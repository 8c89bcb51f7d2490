import { beforeAll, describe, expect, test } from 'vitest';
import { useConnectorHarness } from '../../test/connector-harness.ts';
import { onEachEngine } from '../../test/engines.ts';
import { firstKind } from '../../test/second-kind.ts';
import { findLink, findVisit, issueCode, openVisit, confirmVisit } from './store.ts';

const path = '/api/v1/integrations/connect-links';

onEachEngine('connect links', database => {
  const harness = useConnectorHarness(database);
  const ask = (method: string, rest = '', body?: unknown, token = harness.token) =>
    harness.service.ask(method, `${path}${rest}`, { token, body });
  beforeAll(async () => {
    await harness.service.ask('PATCH', '/api/v1/organization', {
      token: harness.token,
      body: { connect_helper_url: 'https://app.example/connector-auth/' },
    });
  });

  describe('a link', () => {
    test('is created and confirmed by the browser that opened it', async () => {
      const created = await ask('POST', '', { customer_name: 'acme', connector_type: firstKind.key });
      expect(created.status, created.text).toBe(201);
      const { id, url } = created.body;
      const [, secret = ''] = url.split('#');
      expect((await ask('GET', `/${id}`)).body).toMatchObject({ id, status: 'open' });
      const opened = await openVisit(database().kysely, { id, secret });
      const browserKey = opened?.browserKey ?? '';
      const visit = await findVisit(database().kysely, { id, browserKey });
      if (visit === null) throw new Error('no visit');
      const code = await issueCode(database().kysely, visit);
      const confirmed = await ask('POST', `/${id}/confirm`, { code, customer_name: 'acme' });
      expect(confirmed.status, confirmed.text).toBe(200);
      const [, back = ''] = confirmed.body.return_url.split('#return=');
      expect(await confirmVisit(database().kysely, visit, back)).toBe(true);
      expect((await ask('GET', `/${id}`)).body).toMatchObject({ id, status: 'confirmed' });
      expect((await ask('DELETE', `/${id}`)).status).toBe(204);
      expect((await findLink(database().kysely, id))?.status).toBe('revoked');
    });
  });
});

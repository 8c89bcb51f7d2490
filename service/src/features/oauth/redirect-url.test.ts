import { expect, test } from 'vitest';
import { completion, connectors, page, publicUrl, useConsentHarness } from '../../../test/consent-harness.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';

onPostgresOrEachEngineInFull('the redirect URL of an OAuth flow', database => {
  const harness = useConsentHarness(database);

  test.each([
    ['is on another origin', 'https://evil.example/back', 'redirect_url_not_allowed'],
    ['is on the same host but another port', 'http://127.0.0.1:5556/', 'redirect_url_not_allowed'],
    ['uses another scheme', 'https://127.0.0.1:5555/', 'redirect_url_not_allowed'],
    ['is another page of the service', `${publicUrl}/docs`, 'redirect_url_not_allowed'],
    ['is the completion page with a query', `${completion}?x`, 'redirect_url_not_allowed'],
    ['contains a user name', 'http://user@127.0.0.1:5555/', 'malformed_request'],
    ['contains an empty user name', 'http://@127.0.0.1:5555/', 'malformed_request'],
    ['disguises its host as a user name', `${page}@evil.example/`, 'malformed_request'],
    ['contains a fragment', `${page}/#x`, 'malformed_request'],
    ['contains an empty fragment', `${page}/#`, 'malformed_request'],
    ['is a javascript: URL', 'javascript:alert(1)', 'malformed_request'],
    ['is a data: URL', 'data:text/html,x', 'malformed_request'],
    ['uses plain http on a public host', 'http://app.example/', 'malformed_request'],
    ['contains a line break', `${page}/\n`, 'malformed_request'],
    ['contains backslashes', 'http:\\\\127.0.0.1:5555', 'malformed_request'],
    ['is not a URL', 'back', 'malformed_request'],
    ['is too long', `${page}/${'x'.repeat(2000)}`, 'malformed_request'],
  ])('rejects a widget token’s redirect URL that %s', async (_title, redirect_url, code) => {
    const before = await readDatabaseContents(database());
    const response = await harness.initiate({ redirect_url });
    expect(response.body).toMatchObject({ code, errors: [{ path: 'redirect_url' }] });
    expect(await readDatabaseContents(database())).toEqual(before);
  });

  test.each([
    ['is not registered', 'https://app.example/other', 'redirect_url_not_allowed'],
    ['differs in its query', 'https://app.example/back?x', 'redirect_url_not_allowed'],
    ['uses https on localhost', 'https://localhost/back', 'redirect_url_not_allowed'],
    ['is on a subdomain of localhost', 'http://acme.localhost/', 'redirect_url_not_allowed'],
    ['is on a lookalike of localhost', 'http://localhost.evil.example/', 'malformed_request'],
  ])('rejects an application’s redirect URL that %s', async (_title, redirect_url, code) => {
    await database()
      .kysely.updateTable('applications')
      .set({ redirect_urls: ['https://app.example/back'] })
      .execute();
    const body = { connector_type: 'gong', customer_name: 'acme', redirect_url };
    const response = await harness.service.ask('POST', `${connectors}/oauth/initiate`, {
      token: harness.token,
      body,
    });
    expect(response.body.code, response.text).toBe(code);
    const good = { ...body, redirect_url: 'https://app.example/back' };
    expect(
      (
        await harness.service.ask('POST', `${connectors}/oauth/initiate`, {
          token: harness.token,
          body: good,
        })
      ).status,
    ).toBe(200);
  });

  test('accepts the completion page’s URL with another loopback host', async () => {
    const started = await harness.begin({
      redirect_url: 'http://127.0.0.1:4321/oauth/complete',
    });
    const { session_id } = started;
    expect(await harness.browser.consent(started, `${page}/`)).toBe(`${completion}?session_id=${session_id}`);
  });

  test('accepts a widget token’s redirect URL on a subdomain of localhost', async () => {
    const own = 'http://acme.localhost:5555';
    const token = await harness.service.customerToken(harness.token, {
      customer_name: 'acme',
      allowed_origin: own,
    });
    const response = await harness.service.ask('POST', `${connectors}/oauth/initiate`, {
      token,
      headers: { origin: own },
      body: { connector_type: 'gong', redirect_url: `${own}/back` },
    });
    expect(response.status, response.text).toBe(200);
  });

  test('requires a challenge if the redirect URL is the completion page', async () => {
    const response = await harness.initiate({ challenge: undefined });
    expect(response.body).toMatchObject({ code: 'malformed_request', errors: [{ path: 'challenge' }] });
  });
});

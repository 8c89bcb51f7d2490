import { expect, test } from 'vitest';
import { completion, connectors, page, publicUrl, useConsentHarness } from '../../test/consent-harness.ts';
import { readDatabaseSnapshot } from '../../test/database-snapshot.ts';
import { onEachEngine } from '../../test/engines.ts';

onEachEngine('a redirect URL that', database => {
  const harness = useConsentHarness(database);

  test.each([
    ['is on another origin', 'https://evil.example/back', 'redirect_url_not_allowed'],
    ['is on the same host at another port', 'http://127.0.0.1:5556/', 'redirect_url_not_allowed'],
    ['has another scheme', 'https://127.0.0.1:5555/', 'redirect_url_not_allowed'],
    ['is another page of the service', `${publicUrl}/docs`, 'redirect_url_not_allowed'],
    ['is the service’s own page with a query', `${completion}?x`, 'redirect_url_not_allowed'],
    ['names a user', 'http://user@127.0.0.1:5555/', 'malformed_request'],
    ['names an empty user', 'http://@127.0.0.1:5555/', 'malformed_request'],
    ['hides its host behind a user', `${page}@evil.example/`, 'malformed_request'],
    ['has a fragment', `${page}/#x`, 'malformed_request'],
    ['has an empty fragment', `${page}/#`, 'malformed_request'],
    ['is a script', 'javascript:alert(1)', 'malformed_request'],
    ['is data', 'data:text/html,x', 'malformed_request'],
    ['is plain http elsewhere', 'http://app.example/', 'malformed_request'],
    ['has a line break', `${page}/\n`, 'malformed_request'],
    ['has a backslash', 'http:\\\\127.0.0.1:5555', 'malformed_request'],
    ['is no URL', 'back', 'malformed_request'],
    ['is too long', `${page}/${'x'.repeat(2000)}`, 'malformed_request'],
  ])('%s is refused to a widget', async (_title, redirect_url, code) => {
    const before = await readDatabaseSnapshot(database());
    const told = await harness.initiate({ redirect_url });
    expect(told.body).toMatchObject({ code, errors: [{ path: 'redirect_url' }] });
    expect(await readDatabaseSnapshot(database())).toEqual(before);
  });

  test.each([
    ['is not registered', 'https://app.example/other', 'redirect_url_not_allowed'],
    ['differs in its query', 'https://app.example/back?x', 'redirect_url_not_allowed'],
    ['is https on this machine', 'https://localhost/back', 'redirect_url_not_allowed'],
    ['is on a host that looks like this machine', 'http://localhost.evil.example/', 'malformed_request'],
  ])('%s is refused to an application', async (_title, redirect_url, code) => {
    await database()
      .kysely.updateTable('applications')
      .set({ redirect_urls: ['https://app.example/back'] })
      .execute();
    const body = { connector_type: 'gong', customer_name: 'acme', redirect_url };
    const told = await harness.service.ask('POST', `${connectors}/oauth/initiate`, {
      token: harness.token,
      body,
    });
    expect(told.body.code, told.text).toBe(code);
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

  test('is the service’s own page by another name of this machine is taken for it', async () => {
    const { consent_url, session_id } = await harness.begin({
      redirect_url: 'http://127.0.0.1:4321/oauth/complete',
    });
    expect(await harness.browser.consent(consent_url, `${page}/`)).toBe(
      `${completion}?session_id=${session_id}`,
    );
  });

  test('is the service’s own page needs a challenge: otherwise nobody could have the secret id', async () => {
    const told = await harness.initiate({ challenge: undefined });
    expect(told.body).toMatchObject({ code: 'malformed_request', errors: [{ path: 'challenge' }] });
  });
});

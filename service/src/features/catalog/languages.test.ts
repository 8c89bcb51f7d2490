import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { startTestService, type RequestOptions, type TestService } from '../../../test/test-service.ts';
import { type Database } from '../../platform/database/database.ts';

const definitions = '/api/v1/integrations/definitions/sources';
const googleAds = `${definitions}/253487c0-2246-43ba-a21f-5116b20a2c50`;
const connectors = '/api/v1/integrations/connectors';

let place: TestDatabase;
let database: Database;
let service: TestService;
let token: string;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  database = await openTestDatabase(place.location);
  service = await startTestService(database);
  token = await service.tokenOf(await service.addApplication('own', ['Own']));
});
afterAll(async () => {
  await service.close();
  await database.close();
  await place.remove();
});

const ask = (language: string, method: string, path: string, options: RequestOptions = {}) =>
  service.ask(method, path, {
    token,
    ...options,
    headers: { 'accept-language': language, ...options.headers },
  });

describe('source definitions', () => {
  test('are described in the language of Accept-Language', async () => {
    const response = await ask('de-AT, en;q=0.5', 'GET', definitions);
    const gong = response.body.definitions.find(({ name }: { name: string }) => name === 'Gong');
    expect(gong).toMatchObject({
      category: 'Verkaufsgespräche',
      description: expect.stringMatching(/^Verkaufsgespräche: /),
    });
    expect(response.headers).toMatchObject({
      'content-language': 'de',
      vary: expect.stringMatching(/Accept-Language/),
    });
  });

  test('have forms, guides, settings, access and entities in that language', async () => {
    const { body } = await ask('de', 'GET', googleAds);
    expect(body).toMatchObject({
      name: 'Google Ads',
      auth_methods: [
        {
          title: 'Anmelde-App und Entwickler-Token',
          guide: {
            who: expect.stringMatching(/^Ein Entwickler mit Zugriff/),
            steps: expect.arrayContaining(['Fügen Sie alle vier Werte hier ein.']),
          },
          schema: { properties: { client_id: { title: 'Client-ID' } } },
        },
      ],
      replication_schema: {
        properties: {
          start_date: { title: 'Startdatum' },
          // Only the integrator sets it.
          conversion_window_days: { title: 'Conversion window' },
        },
      },
      access: { reads: ['Kampagnen', 'Anzeigen', 'tägliche Leistungsdaten'], vendor_says: 'bearbeiten' },
      entities: expect.arrayContaining([
        expect.objectContaining({ name: 'ad_groups', title: 'Anzeigengruppen' }),
      ]),
    });
  });

  test('prefer the language of the query to the header', async () => {
    const response = await ask('fr', 'GET', `${googleAds}?language=de`);
    expect(response.headers['content-language']).toBe('de');
    expect(response.body.category).toBe('Werbung');
    expect((await ask('de', 'GET', `${definitions}?language=en`)).headers['content-language']).toBe('en');
  });

  test.each(['nl', 'zh-TW,zh;q=0.9', '*', '', 'not a language', 'x'.repeat(500), ';q=', 'de;q=0'])(
    'are in English for the header %j',
    async language => {
      const response = await ask(language, 'GET', googleAds);
      expect(response.headers['content-language']).toBe('en');
      expect(response.body.category).toBe('Advertising');
    },
  );

  test('are in English for an unknown language in the query, and invalid for a malformed one', async () => {
    expect((await ask('de', 'GET', `${definitions}?language=nl`)).headers['content-language']).toBe('en');
    for (const language of ['de_DE', 'de,fr', '', 'x'.repeat(36), 'de&language=fr']) {
      const response = await ask('de', 'GET', `${definitions}?language=${language}`);
      expect(response).toMatchObject({ status: 400, body: { errors: [{ path: 'language' }] } });
    }
  });

  test('have an entity tag for each language', async () => {
    const german = await ask('de', 'GET', definitions);
    const headers = { 'if-none-match': String(german.headers['etag']) };
    expect((await ask('de', 'GET', definitions, { headers })).status).toBe(304);
    expect((await ask('en', 'GET', definitions, { headers })).status).toBe(200);
  });
});

describe('connectors', () => {
  const create = (language: string, type: string, credentials: unknown) =>
    ask(language, 'POST', connectors, {
      body: { customer_name: 'acme', connector_type: type, name: type, credentials },
    });

  /** Returns the credentials of a user of the sandbox. */
  const credentialsOf = (key: string) =>
    service.sandbox.control.vendors().find(vendor => vendor.key === key)?.credentials[0]?.values;

  test('have titles of entities in the language of each request', async () => {
    const created = await create('de', 'granola', credentialsOf('granola'));
    expect(created).toMatchObject({
      status: 201,
      headers: { 'content-language': 'de' },
      body: { sync: { entities: { notes: { title: 'Besprechungsnotizen' } } } },
    });
    const path = `${connectors}/${created.body.id}`;
    const title = ({ sync }: { sync: { entities: Record<string, { title: string }> } }) =>
      sync.entities['notes']?.title;
    expect(title((await ask('en', 'GET', path)).body)).toBe('Meeting notes');
    expect(title((await ask('de', 'POST', `${path}/sync`)).body)).toBe('Besprechungsnotizen');
    expect(title((await ask('de', 'PATCH', path, { body: { name: 'Notizen' } })).body)).toBe(
      'Besprechungsnotizen',
    );
    expect(title((await ask('de', 'GET', connectors)).body.data[0])).toBe('Besprechungsnotizen');
  });

  test('list their accounts in that language', async () => {
    const created = await create('en', 'google-ads', credentialsOf('google-ads'));
    const response = await ask('de', 'GET', `${connectors}/${created.body.id}/accounts`);
    expect(response.headers['content-language']).toBe('de');
    const text = JSON.stringify(response.body.accounts);
    expect(text).toMatch(/ · Kundenkonto/);
    expect(text).toMatch(/ · Verwaltungskonto/);
    expect(text).toContain('Verwaltungskonten haben keine eigenen Kampagnen');
    expect(text).not.toMatch(/ · (Client|Manager)/);
  });

  test('report invalid fields in that language, with a detail in English', async () => {
    const response = await create('de', 'granola', { api_key: '' });
    expect(response).toMatchObject({
      status: 422,
      headers: { 'content-language': 'de' },
      body: {
        code: 'invalid_credentials',
        detail: expect.stringMatching(/Paste the API key/),
        errors: [{ path: 'credentials.api_key', message: 'Fügen Sie den API-Schlüssel ein' }],
      },
    });
  });

  test('report credentials that the vendor rejects in that language, with the words of the vendor', async () => {
    const response = await create('de', 'granola', { api_key: 'grn_wrong' });
    expect(response.status).toBe(422);
    expect(response.body.errors[0]).toMatchObject({
      path: 'credentials.api_key',
      message: expect.stringMatching(/^Granola hat diese Angabe nicht akzeptiert/),
    });
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { platformApps } from '../../../test/consent.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import {
  alphaWebp,
  animatedWebp,
  losslessWebp,
  lossyWebp,
  pngChunk,
  pngImage,
} from '../../../test/images.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';

const path = '/api/v1/organization';
const sources = '/api/v1/integrations/definitions/sources';
const origin = 'https://app.example';
const publicUrl = 'http://localhost:4321';

onPostgresOrEachEngineInFull('what users see of an organization', database => {
  let service: TestService;
  let token: string;
  let otherToken: string;
  let widget: string;
  beforeAll(async () => {
    service = await startTestService(database(), { publicUrl, oauthApps: platformApps });
    token = await service.tokenOf(await service.addApplication('own', ['acme-production']));
    otherToken = await service.tokenOf(await service.addApplication('other', ['other']));
    widget = await service.customerToken(token, { customer_name: 'globex', allowed_origin: origin });
  });
  afterEach(async () => {
    await service.ask('PATCH', path, { token, body: { name: null, support_url: null } });
    await service.ask('DELETE', `${path}/logo`, { token });
  });
  afterAll(() => service.close());

  const update = (body: unknown) => service.ask('PATCH', path, { token, body });
  const setLogo = (image: Buffer | string) =>
    service.ask('PUT', `${path}/logo`, {
      token,
      body: { image: typeof image === 'string' ? image : image.toString('base64') },
    });
  const seenByWidget = async () =>
    (await service.ask('GET', sources, { token: widget, headers: { origin } })).body.integrator;
  const logoAt = (url: string) => fetch(url.replace(publicUrl, service.url));
  const confirmationPage = async () => {
    const { body } = await service.ask('POST', '/api/v1/integrations/connectors/oauth/initiate', {
      token: widget,
      headers: { origin },
      body: { connector_type: 'gong', redirect_url: `${origin}/back` },
    });
    const response = await fetch(body.consent_url.replace(publicUrl, service.url));
    return { html: await response.text(), policy: response.headers.get('content-security-policy') };
  };

  test('shows the configured name on the consent page, and no name in the widget, until one is set', async () => {
    expect(await seenByWidget()).toBeUndefined();
    expect((await confirmationPage()).html).toContain('<bdi>acme-production</bdi>');
  });

  test('shows the name, logo and support page that an application token set, in its organization only', async () => {
    const changed = await update({ name: 'Acme <Analytics>', support_url: 'https://acme.example/help' });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({
      name: 'Acme <Analytics>',
      support_url: 'https://acme.example/help',
      logo_url: null,
      sync_interval_minutes: null,
    });
    const uploaded = await setLogo(pngImage(2, 3));
    expect(uploaded.status, uploaded.text).toBe(200);
    const { logo_url } = uploaded.body;
    expect(await seenByWidget()).toEqual({
      name: 'Acme <Analytics>',
      support_url: 'https://acme.example/help',
      logo_url,
    });
    const { html, policy } = await confirmationPage();
    expect(html).toContain('<bdi>Acme &#60;Analytics&#62;</bdi>');
    expect(html).toContain(`<img src="${new URL(logo_url).pathname}"`);
    expect(policy).toContain("img-src 'self'");
    const other = await service.ask('GET', path, { token: otherToken });
    expect(other.body).toMatchObject({ name: 'other', logo_url: null, support_url: null });

    expect((await update({ name: null })).body.name).toBe('acme-production');
    expect((await service.ask('DELETE', `${path}/logo`, { token })).status).toBe(204);
    expect((await logoAt(logo_url)).status).toBe(404);
  });

  test('keeps the organization and its new name when the service starts again', async () => {
    await update({ name: 'Renamed' });
    const again = await service.addApplication('again', ['acme-production']);
    const { body } = await service.ask('GET', path, { token: await service.tokenOf(again) });
    expect(body.name).toBe('Renamed');
  });

  test('serves a logo with headers that forbid scripts, sniffing and framing', async () => {
    for (const [image, type] of [
      [pngImage(4, 4), 'image/png'],
      [losslessWebp, 'image/webp'],
      [lossyWebp, 'image/webp'],
      [alphaWebp, 'image/webp'],
    ] as const) {
      const { body, text } = await setLogo(image);
      const response = await logoAt(String(body.logo_url));
      expect(response.status, text).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'cross-origin',
      });
      const sent = typeof image === 'string' ? Buffer.from(image, 'base64') : image;
      expect(Buffer.from(await response.arrayBuffer())).toEqual(sent);
    }
  });

  test('stores a logo without its metadata', async () => {
    const more = [
      pngChunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>')),
      pngChunk('eXIf', Buffer.from('where it was taken')),
    ];
    const { body } = await setLogo(pngImage(2, 2, { more }));
    const stored = Buffer.from(await (await logoAt(body.logo_url)).arrayBuffer());
    expect(stored).toEqual(pngImage(2, 2));
  });

  const damaged = pngImage(2, 2);
  damaged[damaged.length - 20] = 0xff;
  const longWebp = Buffer.concat([Buffer.from(losslessWebp, 'base64'), Buffer.from('<html>')]);
  test.each<[string, Buffer | string, string]>([
    ['is empty', '', 'PNG or WebP'],
    ['is SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'PNG or WebP'],
    ['is GIF', Buffer.from('GIF89a'), 'PNG or WebP'],
    ['is damaged', damaged, 'damaged'],
    ['ends early', pngImage(2, 2).subarray(0, -12), 'damaged'],
    ['is followed by other data', Buffer.concat([pngImage(2, 2), Buffer.from('<script>')]), 'damaged'],
    [
      'has an unknown critical chunk',
      pngImage(2, 2, { more: [pngChunk('EVIL', Buffer.alloc(1))] }),
      'damaged',
    ],
    ['has too few pixels', pngImage(2, 2, { pixels: Buffer.alloc(1) }), 'damaged'],
    ['inflates to more than its size', pngImage(2, 2, { pixels: Buffer.alloc(1e7) }), 'damaged'],
    ['is animated PNG', pngImage(2, 2, { more: [pngChunk('acTL', Buffer.alloc(8))] }), 'animated'],
    ['is animated WebP', animatedWebp, 'animated'],
    ['is WebP followed by other data', longWebp, 'damaged'],
    ['is wider than the limit', pngImage(1025, 1), '1024 × 1024 pixels'],
    ['has no width', pngImage(0, 1), '1024 × 1024 pixels'],
    ['is larger than the limit', Buffer.alloc(256 * 1024 + 1), '256 KiB'],
  ])('rejects a logo that %s', async (_title, image, message) => {
    const response = await setLogo(image);
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      code: 'invalid_params',
      errors: [{ path: 'image', message: expect.stringContaining(message) }],
    });
  });

  describe('changing what users see', () => {
    test.each<[string, unknown]>([
      ['name', ' '],
      ['name', 'x'.repeat(81)],
      ['name', 'Acme\u0000'],
      ['name', 'Acme \u202e'],
      ['support_url', 'javascript:alert(1)'],
      ['support_url', 'http://acme.example'],
      ['support_url', 'data:text/html,x'],
    ])('rejects a change if %s is %j', async (member, value) => {
      const response = await update({ [member]: value });
      expect(response.status).toBe(400);
      expect(response.body.errors[0].path).toBe(member);
    });

    test('rejects a change with a customer’s token', async () => {
      for (const [method, at, body] of [
        ['PATCH', path, { name: 'Forged' }],
        ['PUT', `${path}/logo`, { image: losslessWebp }],
        ['DELETE', `${path}/logo`, undefined],
      ] as const) {
        const response = await service.ask(method, at, { token: widget, headers: { origin }, body });
        expect(response.body.code).toBe('token_kind_not_allowed');
      }
    });
  });
});

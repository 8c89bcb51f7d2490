import { kinds } from '@connector-auth/connectors';
import type { Kind } from '@connector-auth/connectors/kind';
import type { OAuthAppConfiguration } from '../src/platform/config/configuration.ts';
import { Secret } from '../src/platform/crypto/secret.ts';
import { TestBrowser, type StartedConsent } from './test-browser.ts';
import type { TestService } from './test-service.ts';

const gong = kinds.find(({ key }) => key === 'gong');
if (gong === undefined) throw new Error('The tests need the kind gong');

/** A connector kind with OAuth and single-use refresh tokens. */
export const consentKind: Kind = gong;

const app = (
  clientId: string,
  clientSecret: string,
  extras: Record<string, string> = {},
): OAuthAppConfiguration => ({
  clientId,
  clientSecret: new Secret(clientSecret),
  extras: new Map(Object.entries(extras).map(([name, value]) => [name, new Secret(value)])),
});

/** The sandbox's OAuth app for Gong, as an operator configures it. */
export const platformApps: ReadonlyMap<string, OAuthAppConfiguration> = new Map([
  ['OAUTH_GONG', app('gong_sandbox_client', 'gong_sandbox_client_secret')],
]);

/** The sandbox's OAuth apps for every kind with OAuth. */
export const allPlatformApps: ReadonlyMap<string, OAuthAppConfiguration> = new Map([
  ...platformApps,
  ['OAUTH_TIKTOK_MARKETING', app('7100000000000000001', 'tiktok-sandbox-secret-4f0c2b')],
  [
    'OAUTH_GOOGLE_ADS',
    app('407408718192-sandbox.apps.googleusercontent.com', 'GOCSPX-sandbox-secret-7d1c', {
      developer_token: 'sandboxDeveloperToken0',
    }),
  ],
]);

const redirectUrl = 'http://127.0.0.1/connected';

/** Starts an OAuth flow that stays pending, and returns its session id. */
export async function beginConsent(service: TestService, token: string): Promise<string> {
  return (await startConsent(service, token)).session_id;
}

/** Completes an OAuth flow in a browser, and returns its secret id. */
export async function completeConsent(
  service: TestService,
  publicUrl: string,
  started: StartedConsent,
): Promise<string> {
  const browser = new TestBrowser(service, publicUrl);
  const location = await browser.consent(started, redirectUrl);
  await browser.leave();
  return new URL(location).searchParams.get('secret_id') ?? '';
}

/** Starts an OAuth flow as a backend does. */
export async function startConsent(service: TestService, token: string): Promise<StartedConsent> {
  const response = await service.ask('POST', '/api/v1/integrations/connectors/oauth/initiate', {
    token,
    body: {
      customer_name: 'acme',
      connector_type: consentKind.key,
      redirect_url: redirectUrl,
    },
  });
  if (response.status !== 200) throw new Error(`No consent: ${response.text}`);
  return response.body;
}

const ownApp = { clientId: 'gong_sandbox_own_client', clientSecret: 'gong_sandbox_own_client_secret' };

/** Registers an organization's own OAuth app, by default one that redirects only to this computer. */
export async function setOwnApp(service: TestService, token: string, app = ownApp): Promise<void> {
  const configuration = { client_id: app.clientId, client_secret: app.clientSecret };
  const body = { connector_type: consentKind.key, configuration };
  const response = await service.ask('PUT', '/api/v1/oauth/credentials', { token, body });
  if (response.status !== 200) throw new Error(`No OAuth app: ${response.text}`);
}

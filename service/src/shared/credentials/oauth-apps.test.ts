import { kinds } from '@connector-auth/connectors';
import type { Grant, Kind } from '@connector-auth/connectors/kind';
import { describe, expect, test } from 'vitest';
import { appForGrant, bindToApp, stateOfApp, type OwnedApp } from './oauth-apps.ts';

function kindNamed(key: string): Kind {
  const kind = kinds.find(each => each.key === key);
  if (kind === undefined) throw new Error(`There is no kind ${key}`);
  return kind;
}

const gong = kindNamed('gong');
const app = (owner: OwnedApp['owner'], clientId: string): OwnedApp => ({
  owner,
  clientId,
  clientSecret: `secret of ${owner}`,
  extras: {},
});
const platform = app('platform', 'shared');
const pasted: Grant = { method: 'oauth', credentials: { refresh_token: 'r' }, state: {}, settings: {} };

describe('bindToApp', () => {
  test('binds a pasted grant to the organization’s own app', () => {
    const own = app('organization', 'own');
    const bound = bindToApp(gong, [own, platform], pasted);
    expect(appForGrant([own, platform], bound)).toBe(own);
    expect(appForGrant([platform], bound)).toBeNull();
  });

  test('never uses the platform’s app for a pasted grant, even after an organization’s app with the same client id is deleted', () => {
    const impostor = app('organization', platform.clientId);
    const bound = bindToApp(gong, [impostor, platform], pasted);
    expect(appForGrant([platform], bound)).toBeNull();
  });

  test('rejects a pasted grant that needs an app if the organization has none', () => {
    expect(() => bindToApp(gong, [platform], pasted)).toThrow(
      expect.objectContaining({ code: 'oauth_app_required', status: 422 }),
    );
  });

  test('binds a pasted grant to no app if it does not need one', () => {
    const credentials = { refresh_token: 'r', client_id: 'mine', client_secret: 's' };
    const bound = bindToApp(gong, [platform], { ...pasted, credentials });
    expect(appForGrant([platform], bound)).toBeNull();
    const tikTok = { ...pasted, method: 'access_token', credentials: { access_token: 't' } };
    expect(appForGrant([platform], bindToApp(kindNamed('tiktok-marketing'), [platform], tikTok))).toBeNull();
  });
});

test('the grant of an OAuth session keeps the app that issued it', () => {
  const own = app('organization', 'own');
  const consented = { ...pasted, state: stateOfApp(platform) };
  expect(bindToApp(gong, [own, platform], consented)).toBe(consented);
  expect(appForGrant([own, platform], consented)).toBe(platform);
});

test('a grant that does not name its app has none', () => {
  expect(appForGrant([platform], pasted)).toBeNull();
});

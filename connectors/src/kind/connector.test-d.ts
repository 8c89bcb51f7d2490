/** Compiled, never run: which options and operations a connector accepts, and what does not compile. */
import { Gong } from '../gong/index.ts';
import { GoogleAds } from '../google-ads/index.ts';
import { Granola } from '../granola/index.ts';
import { findKind } from '../kinds.ts';
import { TikTokMarketing } from '../tiktok-marketing/index.ts';

const granola = new Granola({ credentials: { api_key: 'grn_1' } });
const gong = new Gong({ credentials: { access_key: 'a', access_key_secret: 'b' } });
declare const entity: string;
declare const action: string;
declare const stored: { credentials: { refresh_token: string }; state: Record<string, unknown> };
const seen: unknown[] = [];

export async function compiles(): Promise<void> {
  seen.push(
    new Gong({
      ...stored,
      onCredentialsChanged: ({ credentials }) => {
        if ('refresh_token' in credentials) seen.push(credentials.refresh_token satisfies string);
      },
    }),
    new TikTokMarketing({ credentials: { access_token: 't' }, settings: { advertiser_ids: ['1'] } }),
    new GoogleAds({
      hosted: { customerName: 'acme', baseUrl: 'https://x.example', clientId: 'a', clientSecret: 'b' },
    }),
    findKind('granola'),
    findKind(entity),
  );
  const { result } = await granola.execute('notes', 'list', { page_size: 10 });
  seen.push(result[0]?.title satisfies string | null | undefined);
  // Names that are known only at run time.
  seen.push((await granola.execute(entity, action, { page_size: 10 })).result satisfies unknown);
  seen.push(await gong.execute('calls', action), await gong.execute(entity, 'list'));
}

export async function doesNotCompile(): Promise<void> {
  // @ts-expect-error the field is named `api_key`
  seen.push(new Granola({ credentials: { apiKey: 'grn_1' } }));
  // @ts-expect-error an access key has a secret
  seen.push(new Gong({ credentials: { access_key: 'a' } }));
  // @ts-expect-error there is no such setting
  seen.push(new TikTokMarketing({ credentials: { access_token: 't' }, settings: { advertisers: ['1'] } }));
  // @ts-expect-error Granola has no settings
  seen.push(new Granola({ credentials: { api_key: 'grn_1' }, settings: { since: '2026-01-01' } }));
  // @ts-expect-error there is no such kind
  seen.push(findKind('granolla'));
  // @ts-expect-error there is no such entity
  seen.push(await granola.execute('note', 'list'));
  // @ts-expect-error there is no such action
  seen.push(await granola.execute('notes', 'lst'));
  // @ts-expect-error notes cannot be created
  seen.push(await granola.execute('notes', 'create', {}));
  // @ts-expect-error there is no such entity, even if the action is known only at run time
  seen.push(await granola.execute('note', action));
  // @ts-expect-error no entity has such an action
  seen.push(await granola.execute(entity, 'lst'));
  // @ts-expect-error there is no such parameter
  seen.push(await granola.execute('notes', 'list', { pageSize: 10 }));
}

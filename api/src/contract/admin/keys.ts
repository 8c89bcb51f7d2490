import { z } from 'zod';
import { timestamp, uuid } from '../names.ts';
import { pageMeta, pageQuery } from '../paging.ts';
import { operatorName } from './lists.ts';
import { flag, future } from './values.ts';

export const adminKeyParams = z.strictObject({ key_id: uuid });

/** What an admin key allows: `read` only GET requests, `write` everything. */
const adminAccess = z.enum(['read', 'write']);
export type AdminAccess = z.infer<typeof adminAccess>;

const adminKey = z.object({
  id: uuid,
  name: z.string(),
  access: adminAccess,
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().meta({ description: 'Accurate to a minute' }),
});
export type AdminKey = z.infer<typeof adminKey>;

export const listAdminKeysQuery = z.strictObject(pageQuery);
export const adminKeyPage = z.object({ data: z.array(adminKey), meta: pageMeta });

export const createAdminKeyRequest = z.strictObject({
  name: operatorName,
  access: adminAccess,
  expires_at: future.optional(),
});
export type CreateAdminKeyRequest = z.input<typeof createAdminKeyRequest>;

/** A new admin key, which no other response contains. */
export const createdAdminKey = adminKey.extend({ key: z.string() });
export type CreatedAdminKey = z.infer<typeof createdAdminKey>;

export const deleteAdminKeyQuery = z.strictObject({
  force: flag.meta({ description: 'Delete the key even if no other key could change anything' }),
});

/** Who is signed in, by key or by a session of the console. */
export const adminSession = z.object({
  name: z.string().meta({ description: 'The name of the key, or ADMIN_TOKEN' }),
  key_id: uuid.nullable().meta({ description: 'Null for ADMIN_TOKEN' }),
  access: adminAccess,
  expires_at: timestamp.nullable().meta({ description: 'When the session ends; null without a session' }),
});
export type AdminSession = z.infer<typeof adminSession>;

/** A browser in which someone is signed in to the console. */
const adminSessionItem = z.object({
  id: uuid,
  is_current: z.boolean().meta({ description: 'Whether the request was sent with this session' }),
  created_at: timestamp,
  last_used_at: timestamp.meta({
    description: 'Accurate to a minute. A session that is not used for an hour ends',
  }),
  expires_at: timestamp,
  address: z.string().nullable().meta({ description: 'The network address that signed in' }),
  user_agent: z.string().nullable().meta({ description: 'The User-Agent that the browser sent' }),
});
export type AdminSessionItem = z.infer<typeof adminSessionItem>;

/** Up to 100 sessions, the last used one first. */
export const adminSessionList = z.object({ data: z.array(adminSessionItem) });
export const adminSessionParams = z.strictObject({ session_id: uuid });

export const signInRequest = z.strictObject({ key: z.string().min(1).max(500).meta({ writeOnly: true }) });

export const signOutQuery = z.strictObject({
  everywhere: flag.meta({ description: 'End every session of this key' }),
});

export const setUpState = z.object({
  is_open: z.boolean().meta({ description: 'Whether the set-up code in the terminal is accepted' }),
});

export const setUpRequest = z.strictObject({
  code: z.string().min(1).max(200).meta({ writeOnly: true, description: 'The code from the terminal' }),
  name: operatorName.meta({ description: 'Name of the first admin key' }),
});

// oxlint-disable-next-line no-restricted-imports -- reads what this service stored
import { agentScopeNames, parseJson, stringifyJson } from '@connector-auth/api';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { errors, type Adapter, type AdapterFactory, type AdapterPayload } from 'oidc-provider';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { isForeignKeyViolation } from '../../../platform/database/unique-violation.ts';
import { isAgentLive } from '../../../shared/repositories/agents.ts';
import { revokeAgent } from '../../../shared/repositories/revocations.ts';
import { isClientId } from './client-metadata.ts';
import {
  deleteOldestSignIns,
  deleteUnusedClient,
  keyOf,
  maxRegisteredClients,
  recordContext,
} from './store.ts';

/** How long a refresh token that was used gives a fresh pair, so that a response that got lost does not end the agent. */
const refreshGraceSeconds = 60;

interface Stores {
  readonly db: Kysely<Tables>;
  readonly sealer: Sealer;
}

/** Stores what the library stores in our database. */
export function createAdapter(stores: Stores): AdapterFactory {
  return model => {
    if (model === 'Session') return sessions;
    return model === 'Grant' ? grants(stores.db) : records(stores, model);
  };
}

const nothing = async (): Promise<undefined> => undefined;

/** The library's sessions are not stored, so every request asks a person again. */
const sessions: Adapter = {
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  upsert: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

/** A grant is a row of `agents`, which the consent page stores. Ends the agent when the library ends the grant. */
function grants(db: Kysely<Tables>): Adapter {
  return {
    ...sessions,
    find: async id => {
      const agent = await db
        .selectFrom('agents')
        .select(['client_id', 'resource', 'scopes', secondsLeft.as('secondsLeft')])
        .where('id', '=', id)
        .where(isAgentLive)
        .executeTakeFirst();
      if (agent === undefined) return undefined;
      const grant = {
        kind: 'Grant',
        jti: id,
        accountId: id,
        clientId: agent.client_id,
        resources: { [agent.resource]: agent.scopes.join(' ') },
        exp: expiryOf(agent),
      };
      return grant;
    },
    destroy: id => revokeAgent(db, { id }),
  };
}

function records({ db, sealer }: Stores, model: string): Adapter {
  const isRecord = (id: string) => sql<boolean>`(model = ${model} and key = ${keyOf(model, id)})`;
  return {
    ...sessions,
    find: async id => {
      if (model === 'Client' && !isClientId(id)) return undefined;
      const found = await db
        .selectFrom('authorization_records')
        .select(['key', 'payload', isConsumed(model).as('isConsumed'), secondsLeft.as('secondsLeft')])
        .where(isRecord(id))
        .where(sql<boolean>`(expires_at is null or expires_at > now())`)
        .executeTakeFirst();
      if (found === undefined) return undefined;
      // The payload is one that `upsert` has sealed.
      const payload = parseJson(
        sealer.open(found.payload, recordContext(model, found.key)),
      ) as AdapterPayload;
      return {
        ...payload,
        ...(model !== 'Client' && { jti: id, exp: expiryOf(found) }),
        ...(found.isConsumed && { consumed: true }),
      };
    },
    upsert: async (id, { jti: _value, ...payload }, expiresIn) => {
      const key = keyOf(model, id);
      const values = {
        payload: sealer.seal(stringifyJson(payload), recordContext(model, key)),
        expires_at: expiresIn === undefined ? null : sql<Date>`now() + make_interval(secs => ${expiresIn})`,
      };
      if (model === 'Client') await requireSpaceForClient(db);
      const resource = model === 'Interaction' ? String(payload.params?.['resource']) : null;
      if (resource !== null) await deleteOldestSignIns(db, resource);
      const scopes = payload.scope?.split(' ') ?? [];
      await db
        .insertInto('authorization_records')
        .values({
          ...values,
          model,
          key,
          agent_id: payload.grantId ?? null,
          resource,
          scopes: model === 'AccessToken' ? agentScopeNames.filter(scope => scopes.includes(scope)) : null,
        })
        .onConflict(conflict => conflict.columns(['model', 'key']).doUpdateSet(values))
        .execute()
        .catch((error: unknown) => {
          // A consent for more has replaced the agent meanwhile.
          throw isForeignKeyViolation(error) ? new errors.InvalidGrant('the agent has ended') : error;
        });
    },
    consume: async id => {
      const consumed = await db
        .updateTable('authorization_records')
        .set({ consumed_at: sql<Date>`coalesce(consumed_at, now())` })
        .where(isRecord(id))
        // The library lets two simultaneous requests with the same code through.
        .$if(model !== 'RefreshToken', query => query.where('consumed_at', 'is', null))
        .returning('key')
        .executeTakeFirst();
      if (consumed === undefined) throw new errors.InvalidGrant('already consumed');
    },
    destroy: async id => {
      await db.deleteFrom('authorization_records').where(isRecord(id)).execute();
    },
    revokeByGrantId: async agentId => {
      await db
        .deleteFrom('authorization_records')
        .where('model', '=', model)
        .where('agent_id', '=', agentId)
        .execute();
    },
  };
}

/** Whether a record counts as used. */
function isConsumed(model: string): RawBuilder<boolean> {
  return model === 'RefreshToken'
    ? sql`consumed_at < now() - make_interval(secs => ${sql.lit(refreshGraceSeconds)})`
    : sql`consumed_at is not null`;
}

async function requireSpaceForClient(db: Kysely<Tables>): Promise<void> {
  const { count } = await db
    .selectFrom('authorization_records')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('model', '=', 'Client')
    .executeTakeFirstOrThrow();
  if (count >= maxRegisteredClients && !(await deleteUnusedClient(db))) {
    throw new errors.TemporarilyUnavailable(
      'too many clients are registered: use a client metadata document',
    );
  }
}

const secondsLeft = sql<number>`ceil(extract(epoch from expires_at - now()))::int`;

/** Returns when something expires by the clock of this process, which is the library's. The database's clock decides. */
function expiryOf({ secondsLeft: seconds }: { readonly secondsLeft: number }): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

import { ConnectorAuthError } from '@connector-auth/api';
import {
  vendorError,
  type Action,
  type Entity,
  type Kind,
  type Vendor,
  type VendorRequest,
} from '@connector-auth/connectors/kind';
import { NotRecordedError } from '../player.ts';
import { describeRequest, keyOf, requestOf, responseOf, short, type Recording } from '../recording.ts';

type Show = (line: string) => void;

/**
 * Returns the kind with declarations that show each request, the response, and what they make of it.
 * @param recording if not null, answers the requests instead of the vendor.
 */
export function showCalls(kind: Kind, recording: Recording | null, show: Show): Kind {
  const spied = (vendor: Vendor, name: string): Vendor => spyOn(vendor, { kind, recording, show, name });
  const entities = Object.entries(kind.entities).map(([name, entity]) => [name, showEntity(name, entity)]);
  return {
    ...kind,
    entities: Object.fromEntries(entities) as Kind['entities'],
    check: {
      ...kind.check,
      run: (vendor, knownAs) =>
        shown(
          'check',
          () => kind.check.run(spied(vendor, 'check'), knownAs),
          ({ account }) => `account ${account ?? 'unknown'}`,
        ),
    },
    ...(kind.accounts !== undefined && {
      accounts: { ...kind.accounts, list: listAccounts(kind.accounts) },
    }),
  };

  function listAccounts(accounts: NonNullable<Kind['accounts']>) {
    return (vendor: Vendor) =>
      shown(
        'accounts',
        () => accounts.list(spied(vendor, 'accounts')),
        list => `${list.accounts.length} accounts`,
      );
  }

  function showEntity(name: string, entity: Entity): Entity {
    const actions = Object.entries(entity.actions).map(([action, declared]): [string, Action] => {
      const call = `${name}.${action}`;
      const run: Action['run'] = (params, vendor) =>
        shown(
          call,
          () => declared.run(params, spied(vendor, call)),
          ({ result }) => describeResult(result),
        );
      return [action, { ...declared, run }];
    });
    const { search } = entity;
    return {
      ...entity,
      actions: Object.fromEntries(actions),
      ...(search !== undefined && {
        search: { ...search, sync: { ...search.sync, run: showSync(name, search.sync) } },
      }),
    };
  }

  function showSync(name: string, sync: NonNullable<Entity['search']>['sync']): typeof sync.run {
    return async function* (vendor, start) {
      const call = `${name}.sync`;
      show(
        `${call} ${start.since === null ? 'full' : `since ${start.since}`}${start.position === null ? '' : `, from ${short(start.position)}`}`,
      );
      let records = 0;
      try {
        for await (const page of sync.run(spied(vendor, call), start)) {
          records += page.records.length;
          show(
            `${call} made ${page.records.length} records; position ${short(page.position)}${page.since === undefined ? '' : `; since ${short(page.since)}`}`,
          );
          yield page;
        }
        show(`${call} ended with ${records} records`);
      } catch (error) {
        show(`${call} failed: ${describe(error)}`);
        throw error;
      }
    };
  }

  async function shown<T>(
    call: string,
    run: () => Promise<T>,
    describeOutcome: (outcome: T) => string,
  ): Promise<T> {
    try {
      const outcome = await run();
      show(`${call} made ${describeOutcome(outcome)}`);
      return outcome;
    } catch (error) {
      show(`${call} failed: ${describe(error)}`);
      throw error;
    }
  }
}

interface SpyOptions {
  readonly kind: Kind;
  readonly recording: Recording | null;
  readonly show: Show;
  readonly name: string;
}

/** The requests that are shown have no credentials: the connection adds them. */
function spyOn(vendor: Vendor, { kind, recording, show, name }: SpyOptions): Vendor {
  const send: Vendor['send'] = async (request, options) => {
    const asked = describeRequest(requestOf(request));
    try {
      const response =
        recording === null
          ? await vendor.send(request, options)
          : play(kind, recording, vendor, request, options?.accept);
      show(`${name} → ${asked}\n${' '.repeat(name.length)} ← ${response.status} ${short(response.body)}`);
      return response;
    } catch (error) {
      show(`${name} → ${asked}\n${' '.repeat(name.length)} ← ${describe(error)}`);
      throw error;
    }
  };
  return {
    ...vendor,
    // Spreading would copy the current value.
    get grant() {
      return vendor.grant;
    },
    send,
    now: () => (recording === null ? vendor.now() : Date.parse(recording.now)),
  };
}

function play(
  kind: Kind,
  { exchanges }: Recording,
  vendor: Vendor,
  request: VendorRequest,
  accept: readonly number[] = [],
) {
  const asked = requestOf(request);
  const exchange = exchanges.find(each => keyOf(each.request) === keyOf(asked));
  if (exchange === undefined) {
    const { message } = new NotRecordedError(asked, exchanges);
    throw vendorError(kind.name, null, { kind: 'request', message });
  }
  const response = responseOf(structuredClone(exchange.response));
  const failure = accept.includes(response.status)
    ? null
    : kind.readFailure(response, vendor.now(), vendor.grant);
  if (failure !== null) throw vendorError(kind.name, response.status, failure);
  return response;
}

function describe(error: unknown): string {
  if (error instanceof ConnectorAuthError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function describeResult(result: unknown): string {
  return Array.isArray(result)
    ? `${result.length} records; the first one: ${short(result[0])}`
    : short(result);
}

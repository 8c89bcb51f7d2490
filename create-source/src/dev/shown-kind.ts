import { ConnectorAuthError } from '@connector-auth/api';
import {
  vendorError,
  type Action,
  type Entity,
  type Kind,
  type Sync,
  type Vendor,
  type VendorResponse,
} from '@connector-auth/connectors/kind';
import { NotRecordedError, responsesOf } from '../player.ts';
import { describeRequest, requestOf, short, type Recording } from '../recording.ts';

/**
 * Returns the kind with declarations that show each request, the response, and what they make of it. The requests have no
 * credentials: the connection adds them.
 * @param recording if not null, answers the requests instead of the vendor.
 */
export function showCalls(kind: Kind, recording: Recording | null, show: (line: string) => void): Kind {
  const find = recording === null ? null : responsesOf(recording);

  /** Shows what came of something. */
  async function shown<T>(
    call: string,
    run: () => Promise<T>,
    describeOutcome: (outcome: T) => string,
  ): Promise<T> {
    try {
      const outcome = await run();
      show(`${call} ${describeOutcome(outcome)}`);
      return outcome;
    } catch (error) {
      show(`${call} failed: ${describe(error)}`);
      throw error;
    }
  }

  function spyOn(vendor: Vendor, call: string): Vendor {
    return {
      ...vendor,
      // Spreading would copy the current value.
      get grant() {
        return vendor.grant;
      },
      send: (request, options) =>
        shown(
          `${call} → ${describeRequest(requestOf(request))}\n${' '.repeat(call.length)} ←`,
          async () =>
            find === null
              ? vendor.send(request, options)
              : play(kind, vendor, () => find(request), options?.accept),
          ({ status, body }) => `${status} ${short(body)}`,
        ),
      now: () => (recording === null ? vendor.now() : Date.parse(recording.now)),
    };
  }

  function showAction(call: string, action: Action): Action {
    return {
      ...action,
      run: (params, vendor) =>
        shown(
          call,
          () => action.run(params, spyOn(vendor, call)),
          ({ result }) =>
            Array.isArray(result)
              ? `made ${result.length} records; the first one: ${short(result[0])}`
              : `made ${short(result)}`,
        ),
    };
  }

  function showSync(call: string, sync: Sync): Sync {
    return {
      ...sync,
      run: async function* (vendor, start) {
        const from = start.position === null ? '' : `, from ${short(start.position)}`;
        show(`${call} ${start.since === null ? 'full' : `since ${start.since}`}${from}`);
        let records = 0;
        try {
          for await (const page of sync.run(spyOn(vendor, call), start)) {
            records += page.records.length;
            const since = page.since === undefined ? '' : `; since ${short(page.since)}`;
            show(`${call} made ${page.records.length} records; position ${short(page.position)}${since}`);
            yield page;
          }
          show(`${call} ended with ${records} records`);
        } catch (error) {
          show(`${call} failed: ${describe(error)}`);
          throw error;
        }
      },
    };
  }

  function showEntity(name: string, { actions, search, ...entity }: Entity): Entity {
    const shownActions = Object.entries(actions).map(([action, declared]) => [
      action,
      showAction(`${name}.${action}`, declared),
    ]);
    return {
      ...entity,
      actions: Object.fromEntries(shownActions) as Entity['actions'],
      ...(search && { search: { ...search, sync: showSync(`${name}.sync`, search.sync) } }),
    };
  }

  const { check, accounts } = kind;
  const entities = Object.entries(kind.entities).map(([name, entity]) => [name, showEntity(name, entity)]);
  return {
    ...kind,
    entities: Object.fromEntries(entities) as Kind['entities'],
    check: {
      ...check,
      run: (vendor, knownAs) =>
        shown(
          'check',
          () => check.run(spyOn(vendor, 'check'), knownAs),
          ({ account }) => `made account ${account ?? 'unknown'}`,
        ),
    },
    ...(accounts && {
      accounts: {
        ...accounts,
        list: vendor =>
          shown(
            'accounts',
            () => accounts.list(spyOn(vendor, 'accounts')),
            list => `made ${list.accounts.length} accounts`,
          ),
      },
    }),
  };
}

/** @throws ConnectorAuthError if there is no response, or if it is an error, as the connection does. */
function play(
  kind: Kind,
  vendor: Vendor,
  find: () => VendorResponse,
  accept: readonly number[] = [],
): VendorResponse {
  try {
    const response = structuredClone(find());
    const failure = kind.readFailure(response, vendor.now(), vendor.grant);
    if (failure === null || accept.includes(response.status)) return response;
    throw vendorError(kind.name, response.status, failure);
  } catch (error) {
    if (!(error instanceof NotRecordedError)) throw error;
    throw vendorError(kind.name, null, { kind: 'request', message: error.message });
  }
}

function describe(error: unknown): string {
  if (error instanceof ConnectorAuthError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

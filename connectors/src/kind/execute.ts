import {
  ConnectorAuthError,
  readOnlyActions,
  validate,
  type ActionName,
  type DataRight,
  type Issue,
} from '@connector-auth/api';
import { z } from 'zod';
import type { Connection } from './connection.ts';
import type { Action, Entity, Kind, Outcome } from './kind.ts';
import { asObject, isRecordId } from './record.ts';

/** An action on an entity, with its params. */
export interface Operation {
  readonly entity: string;
  readonly action: string;
  /** Can be omitted or null if the action needs no params. */
  readonly params?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  /**
   * Time at which the caller stops waiting, in milliseconds since the epoch. Default: one minute from now.
   */
  readonly deadlineMs?: number;
}

/** What a caller can read in addition to the specified fields. Default: nothing. */
export interface ReadRights {
  readonly allowedData?: readonly DataRight[];
}

/**
 * Runs an operation over a connection, in either mode. Validates the operation before it calls the vendor.
 * @throws ConnectorAuthError `unknown_entity`, `unknown_action`, `invalid_params` (with every issue),
 * `record_not_found` for an id that no record of the vendor can have, or the vendor's error.
 */
export async function execute(
  connection: Connection,
  operation: Operation,
  { allowedData = [], ...options }: ExecuteOptions & ReadRights = {},
): Promise<Outcome> {
  if (operation.entity === '*' && operation.action === 'check') {
    parseParams(connection.kind, noParams, operation);
    return executeCheck(connection, options);
  }
  const action = findAction(connection.kind, operation);
  const params = parseParams(connection.kind, action.params, operation);
  const vendor = await connection.vendorFor({ ...options, repeatable: isReading(operation.action) });
  const outcome = await action.run(params, vendor);
  const { privateFields = [] } = action;
  if (privateFields.length === 0 || allowedData.includes('private_fields')) return outcome;
  return { ...outcome, result: withoutFields(outcome.result, privateFields) };
}

/** Returns a record, or each record of a list, without the fields. */
function withoutFields(result: unknown, names: readonly string[]): unknown {
  if (Array.isArray(result)) return result.map(record => withoutFields(record, names));
  return Object.fromEntries(Object.entries(asObject(result)).filter(([name]) => !names.includes(name)));
}

/** The result of a check, in the format of the API. */
export interface CheckResult {
  readonly status: 'healthy' | 'unhealthy';
  readonly error: string | null;
  readonly checked_entity: string;
  readonly checked_action: string;
}

/**
 * Checks whether the vendor accepts the credentials. Returns rejected credentials as a result, but throws if
 * the vendor fails.
 */
export async function check(connection: Connection, options: ExecuteOptions = {}): Promise<CheckResult> {
  const { check } = connection.kind;
  const checked = { checked_entity: check.entity, checked_action: check.action };
  try {
    await check.run(await connection.vendorFor({ ...options, repeatable: true }));
    return { status: 'healthy', error: null, ...checked };
  } catch (error) {
    if (!(error instanceof ConnectorAuthError) || !rejectionCodes.has(error.code)) throw error;
    return { status: 'unhealthy', error: error.message, ...checked };
  }
}

const rejectionCodes = new Set(['reauthentication_required', 'vendor_permission_missing']);

async function executeCheck(
  connection: Connection,
  options: ExecuteOptions,
): Promise<Outcome<CheckResult, null>> {
  return { result: await check(connection, options), connector_metadata: null };
}

/** Returns whether an action leaves the vendor's data unchanged. */
export function isReading(action: string): boolean {
  return readOnlyActions.some(reading => reading === action);
}

function findAction(kind: Kind, operation: Operation): Action {
  const entity: Entity | undefined = Object.hasOwn(kind.entities, operation.entity)
    ? kind.entities[operation.entity]
    : undefined;
  if (!entity) {
    const known = Object.keys(kind.entities).join(', ');
    throw new ConnectorAuthError(
      'unknown_entity',
      `${kind.name} has no entity “${operation.entity}”. Use one of: ${known}`,
      {
        errors: [{ path: 'entity', message: `Use one of: ${known}` }],
      },
    );
  }
  if (operation.action === 'search' && entity.search) {
    throw new ConnectorAuthError(
      'search_needs_hosted',
      'Search reads synced records and is available in hosted mode only',
    );
  }
  const action = Object.hasOwn(entity.actions, operation.action)
    ? // The check above ensures that the name is one of the entity's actions.
      entity.actions[operation.action as ActionName]
    : undefined;
  if (!action) {
    const known = [...Object.keys(entity.actions), ...(entity.search ? ['search'] : [])].join(', ');
    throw new ConnectorAuthError(
      'unknown_action',
      `${operation.entity} has no action “${operation.action}”. Use one of: ${known}`,
      { errors: [{ path: 'action', message: `Use one of: ${known}` }] },
    );
  }
  return action;
}

const noParams = z.strictObject({});

/** Returns whether the issue is that no record of the vendor can have the given id. */
function isForeignId(schema: z.ZodType, params: Readonly<Record<string, unknown>>, { path }: Issue): boolean {
  const name = path.replace('params.', '');
  return (
    schema instanceof z.ZodObject &&
    Object.hasOwn(schema.shape, name) &&
    isRecordId(schema.shape[name]) &&
    typeof params[name] === 'string'
  );
}

function parseParams(kind: Kind, schema: z.ZodType, operation: Operation): unknown {
  const given = operation.params ?? {};
  const parsed = validate(schema, given, 'params');
  if (parsed.ok) return parsed.value;
  const withIntegers = validate(schema, readLongIntegers(given, parsed.issues), 'params');
  if (withIntegers.ok) return withIntegers.value;
  const [issue, ...others] = parsed.issues;
  if (issue && others.length === 0 && isForeignId(schema, given, issue)) {
    const message = `${kind.name} has no record with this ID: ${issue.message}`;
    throw new ConnectorAuthError('record_not_found', message, { errors: [issue] });
  }
  throw ConnectorAuthError.invalid(
    'invalid_params',
    parsed.issues,
    `Invalid parameters for ${operation.entity}.${operation.action}`,
  );
}

/** Returns the params with long integers instead of the strings of digits in which an issue was found. */
function readLongIntegers(
  params: Readonly<Record<string, unknown>>,
  issues: readonly Issue[],
): Readonly<Record<string, unknown>> {
  const paths = new Set(issues.map(({ path }) => path));
  const read = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => read(item, `${path}.${index}`));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, read(member, `${path}.${name}`)]),
      );
    }
    return typeof value === 'string' && paths.has(path) && longInteger.test(value) ? BigInt(value) : value;
  };
  // The root is an object, and so is its copy.
  return read(params, 'params') as Readonly<Record<string, unknown>>;
}

/** An integer that JavaScript clients may not be able to send as a number: 16 to 19 digits. */
const longInteger = /^-?[1-9]\d{15,18}$/;

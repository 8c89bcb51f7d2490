import { ENUMS } from './enums.ts';
import { fail, failureDetail, GoogleAdsError, type FailureEntry } from './failure.ts';
import { readMessage, type Message, type MessageField, type MessageSpec } from './proto-json.ts';
import type { World } from './world.ts';

/** The result of one mutate operation. */
export interface Change {
  readonly resourceName: string;
  /** Undoes the operation. */
  readonly undo: () => void;
  /** The object after the change, for `MUTABLE_RESOURCE`. */
  readonly resource?: () => Message;
}

/** A mutate service for one type of object. */
export interface MutateService {
  /** The specification of the object's JSON fields. */
  readonly message: MessageSpec;
  /** The object's key in a result. Without this key, requests do not accept `responseContentType`. */
  readonly resultKey?: string;
  readonly create?: (input: Message, context: OperationContext) => Change;
  /** Updates an object. `mask` lists the fields in snake_case. */
  readonly update?: (input: Message, mask: readonly string[], context: OperationContext) => Change;
  readonly remove?: (resourceName: string, context: OperationContext) => Change;
}

/** The context that an operation runs in. */
export interface OperationContext {
  readonly world: World;
  /** The operation's path in the request, such as `operations[3]`. */
  readonly path: string;
}

const MAX_OPERATIONS = 10_000;

/**
 * Runs a mutate request, which applies all operations or none. `partialFailure` runs each operation
 * separately; `validateOnly` undoes all changes.
 */
export function mutate(service: MutateService, world: World, body: unknown, version: string): Message {
  const request = readMessage(body, requestSpec(service));
  // The message spec guarantees that this is a list of operations.
  const operations = (request['operations'] ?? []) as readonly Message[];
  if (operations.length === 0) {
    throw fail('requestError', 'OPERATION_REQUIRED', 'A mutate request needs at least one operation.', {
      path: 'operations',
    });
  }
  if (operations.length > MAX_OPERATIONS) {
    throw fail('requestError', 'TOO_MANY_MUTATE_OPERATIONS', 'Too many operations in one request.', {
      path: 'operations',
    });
  }
  if (world.customer.isManager) {
    throw fail(
      'requestError',
      'CANNOT_BE_EXECUTED_BY_MANAGER_ACCOUNT',
      'This operation cannot be executed by a manager account.',
    );
  }
  const isPartial = request['partialFailure'] === true;
  const isDry = request['validateOnly'] === true;
  const changes: (Change | undefined)[] = [];
  const failures: FailureEntry[] = [];
  const undoAll = (): void => {
    for (const change of changes.toReversed()) change?.undo();
  };
  for (const [index, operation] of operations.entries()) {
    try {
      changes.push(runOperation(service, operation, { world, path: `operations[${index}]` }));
    } catch (error) {
      if (!(error instanceof GoogleAdsError) || !isPartial) {
        undoAll();
        throw error;
      }
      changes.push(undefined);
      failures.push(error.entry);
    }
  }
  world.revision += 1;
  if (isDry) undoAll();
  const isFull = request['responseContentType'] === 'MUTABLE_RESOURCE';
  return {
    ...(!isDry && { results: changes.map(change => renderResult(service, change, isFull)) }),
    ...(failures.length > 0 && { partialFailureError: renderFailures(failures, version) }),
  };
}

function requestSpec({ message, resultKey }: MutateService): MessageSpec {
  const contentType: MessageField = {
    enum: ['UNSPECIFIED', 'RESOURCE_NAME_ONLY', 'MUTABLE_RESOURCE'],
    typeName: 'ResponseContentType',
  };
  return {
    operations: {
      list: { create: { message }, update: { message }, updateMask: 'string', remove: 'string' },
    },
    partialFailure: 'bool',
    validateOnly: 'bool',
    ...(resultKey !== undefined && { responseContentType: contentType }),
  };
}

function runOperation(service: MutateService, operation: Message, context: OperationContext): Change {
  const { create, update, updateMask, remove } = operation;
  const given = [create, update, remove].filter(one => one !== undefined);
  if (given.length !== 1) {
    throw fail('requestError', 'OPERATION_REQUIRED', 'Exactly one of create, update, remove must be set.', {
      path: context.path,
    });
  }
  // The message spec guarantees that the values are messages and strings.
  if (create !== undefined && service.create) return service.create(create as Message, context);
  if (update !== undefined && service.update) {
    return service.update(
      update as Message,
      readMask(service.message, updateMask as string | undefined, context),
      context,
    );
  }
  if (remove !== undefined && service.remove) return service.remove(remove as string, context);
  const name = Object.keys(operation).find(key => key !== 'updateMask') ?? '';
  throw fail('operatorError', 'OPERATOR_NOT_SUPPORTED', `The sandbox does not simulate this: ${name}.`, {
    path: `${context.path}.${name}`,
  });
}

/** Parses an update mask in snake_case or lowerCamelCase; returns its fields in snake_case. */
function readMask(message: MessageSpec, mask: string | undefined, context: OperationContext): string[] {
  const path = `${context.path}.update_mask`;
  const names = (mask ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean);
  if (names.length === 0) {
    throw fail(
      'fieldMaskError',
      'FIELD_MASK_MISSING',
      'The field mask must be provided for update operations.',
      { path },
    );
  }
  return names.map(name => {
    const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
    if (!hasField(message, snake)) {
      throw fail(
        'fieldMaskError',
        'FIELD_NOT_FOUND',
        `The field mask contains an unknown field: '${name}'.`,
        { path, trigger: name },
      );
    }
    return snake;
  });
}

function hasField(message: MessageSpec, name: string): boolean {
  const [first = '', ...rest] = name.split('.');
  const field = message[first.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
  if (rest.length === 0) return field !== undefined;
  return typeof field === 'object' && 'message' in field && hasField(field.message, rest.join('.'));
}

function renderResult({ resultKey }: MutateService, change: Change | undefined, isFull: boolean): Message {
  if (!change) return {};
  const { resourceName, resource } = change;
  return { resourceName, ...(isFull && resultKey !== undefined && resource && { [resultKey]: resource() }) };
}

function renderFailures(failures: readonly FailureEntry[], version: string): Message {
  return {
    code: 3,
    message: `Multiple errors in 'details'. First error: ${failures[0]?.message ?? ''}`,
    details: [failureDetail(version, failures)],
  };
}

/**
 * Creates a status field. The field accepts every enum value; the service rejects values that cannot be set.
 */
export function statusField(name: 'CampaignStatus' | 'AdGroupStatus' | 'LabelStatus'): MessageField {
  return {
    enum: ENUMS[name],
    typeName: `type.googleapis.com/google.ads.googleads.enums.${name}Enum.${name}`,
  };
}

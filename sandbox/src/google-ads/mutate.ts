import { ENUMS } from './enums.ts';
import { fail } from './failure.ts';
import { toSnakeCase } from './fields.ts';
import { readMessage, type Message, type MessageField, type MessageSpec } from './proto-json.ts';
import type { World } from './world.ts';

/** The result of one mutate operation. */
export interface Change {
  readonly resourceName: string;
  /** Undoes the operation. */
  readonly undo: () => void;
}

/** A mutate service for one type of object. Removing objects is not simulated. */
export interface MutateService {
  /** The specification of the object's JSON fields. */
  readonly message: MessageSpec;
  readonly create?: (input: Message, context: OperationContext) => Change;
  /** Updates an object. `mask` lists the fields in snake_case. */
  readonly update?: (input: Message, mask: readonly string[], context: OperationContext) => Change;
}

/** The context that an operation runs in. */
export interface OperationContext {
  readonly world: World;
  /** The operation's path in the request, such as `operations[3]`. */
  readonly path: string;
}

/** Runs a mutate request, which applies all operations or none. */
export function mutate(service: MutateService, world: World, body: unknown): Message {
  const { message } = service;
  const request = readMessage(body, {
    operations: { list: { create: { message }, update: { message }, updateMask: 'string' } },
  });
  // The message spec guarantees that this is a list of operations.
  const operations = (request['operations'] ?? []) as readonly Message[];
  if (world.customer.isManager) {
    throw fail(
      'requestError',
      'CANNOT_BE_EXECUTED_BY_MANAGER_ACCOUNT',
      'This operation cannot be executed by a manager account.',
    );
  }
  const changes: Change[] = [];
  try {
    for (const [index, operation] of operations.entries()) {
      changes.push(runOperation(service, operation, { world, path: `operations[${index}]` }));
    }
  } catch (error) {
    for (const change of changes.toReversed()) change.undo();
    throw error;
  }
  world.revision += 1;
  return { results: changes.map(({ resourceName }) => ({ resourceName })) };
}

function runOperation(service: MutateService, operation: Message, context: OperationContext): Change {
  const { create, update, updateMask } = operation;
  // The message spec guarantees that the values are messages and a string.
  if (create !== undefined && service.create) return service.create(create as Message, context);
  if (update !== undefined && service.update) {
    const mask = readMask(service.message, updateMask as string | undefined, context);
    return service.update(update as Message, mask, context);
  }
  throw fail('requestError', 'OPERATION_REQUIRED', 'The operation is missing, or the sandbox lacks it.', {
    path: context.path,
  });
}

/** Parses an update mask in snake_case or lowerCamelCase; returns its fields in snake_case. */
function readMask(message: MessageSpec, mask = '', context: OperationContext): string[] {
  const path = `${context.path}.update_mask`;
  const names = mask
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
  const known = Object.keys(message).map(toSnakeCase);
  return names.map(name => {
    const snake = toSnakeCase(name);
    if (known.includes(snake)) return snake;
    throw fail('fieldMaskError', 'FIELD_NOT_FOUND', `The field mask contains an unknown field: '${name}'.`, {
      path,
      trigger: name,
    });
  });
}

/**
 * Creates a status field. The field accepts every enum value; the service rejects values that cannot be set.
 */
export function statusField(name: 'CampaignStatus' | 'AdGroupStatus'): MessageField {
  return {
    enum: ENUMS[name],
    typeName: `type.googleapis.com/google.ads.googleads.enums.${name}Enum.${name}`,
  };
}

import { ConnectorAuthError, type ActionName } from '@connector-auth/api';
import { z } from 'zod';
import type { Action, Entity, Kind, Searchable } from '../kind/kind.ts';
import { describeFields, writeBigInt } from '../kind/reference.ts';

/** What agents read about a source, or about one of its entities. */
export interface SourceDescription {
  readonly source: string;
  readonly name: string;
  readonly entities?: readonly Readonly<Record<string, unknown>>[];
  readonly entity?: string;
  readonly description?: string;
  readonly actions?: Readonly<Record<string, unknown>>;
  readonly search?: Readonly<Record<string, unknown>>;
}

/** Lists the entities of a kind, with the actions that the caller may use. */
export function describeSource(kind: Kind, allowed: readonly ActionName[]): SourceDescription {
  return {
    source: kind.key,
    name: kind.name,
    entities: Object.entries(kind.entities).map(([name, entity]) => ({
      entity: name,
      description: entity.description,
      actions: actionsOf(entity).filter(action => allowed.includes(action)),
    })),
  };
}

/**
 * Describes an entity: the params of its actions as JSON Schema, the fields of its records, and its searchable fields.
 * @throws ConnectorAuthError `unknown_entity`.
 */
export function describeEntity(kind: Kind, name: string, allowed: readonly ActionName[]): SourceDescription {
  const entity = Object.hasOwn(kind.entities, name) ? kind.entities[name] : undefined;
  if (entity === undefined) {
    const known = Object.keys(kind.entities).join(', ');
    throw ConnectorAuthError.invalid('unknown_entity', [
      { path: 'entity', message: `${kind.name} has no entity “${name}”. Use one of: ${known}` },
    ]);
  }
  const actions = Object.entries<Action>(entity.actions).filter(([action]) => isAllowed(allowed, action));
  const records: NamedRecord[] = [];
  return {
    source: kind.key,
    name: kind.name,
    entity: name,
    description: entity.description,
    actions: Object.fromEntries(
      actions.map(([action, declared]) => [action, describeAction(action, declared, records)]),
    ),
    ...(entity.search && allowed.includes('search') ? { search: describeSearch(entity.search) } : {}),
  };
}

function actionsOf({ actions, search }: Entity): ActionName[] {
  // The declaration's keys are action names.
  return [...(Object.keys(actions) as ActionName[]), ...(search ? (['search'] as const) : [])];
}

function isAllowed(allowed: readonly string[], action: string): boolean {
  return allowed.includes(action);
}

/** The fields of an action's record, and what agents read about each. */
interface NamedRecord {
  readonly action: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Describes an action. Fields that the record of an earlier action has are not repeated. */
function describeAction(
  action: string,
  { summary, params, record }: Action,
  earlier: NamedRecord[],
): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(params, {
    io: 'input',
    unrepresentable: 'any',
    override: context => {
      writeBigInt(context);
      // Agents pay for each character, and the error for an invalid value says the format.
      delete context.jsonSchema.pattern;
    },
  });
  const fields = new Map(
    describeFields(record, 'output').map(({ path, type, description }) => [
      path,
      description === '' ? type : `${type}. ${description}`,
    ]),
  );
  const base = earlier.find(other => [...other.fields].every(([path, text]) => fields.get(path) === text));
  earlier.push({ action, fields });
  const own = [...fields].filter(([path]) => !base?.fields.has(path));
  return {
    summary,
    params: schema,
    ...(base ? { record_extends: base.action } : {}),
    record: Object.fromEntries(own),
  };
}

function describeSearch({ fields, indexed, primaryKey }: Searchable): Readonly<Record<string, unknown>> {
  return { fields, indexed: [...new Set([...primaryKey, ...indexed])] };
}

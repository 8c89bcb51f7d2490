import { badJson } from './failure.ts';
import { toCamelCase } from './fields.ts';

export type MessageField =
  | 'string'
  | 'int64'
  | 'int32'
  | { readonly enum: readonly string[]; readonly typeName: string }
  | { readonly message: MessageSpec }
  | { readonly list: MessageSpec };

/** The fields of a message by their lowerCamelCase names. */
export type MessageSpec = Readonly<Record<string, MessageField>>;

/** A parsed message. Keys are in lowerCamelCase, null values are omitted, and int64 values are strings. */
export type Message = Readonly<Record<string, unknown>>;

/**
 * Parses JSON like Google's protobuf parser: accepts names in lowerCamelCase or snake_case and numbers as
 * strings, and treats null as absent. Throws `google.rpc.BadRequest` for an unknown name or a wrong type.
 */
export function readMessage(value: unknown, spec: MessageSpec, path = ''): Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badJson(path, `Invalid JSON payload received. Expected an object${at(path)}.`);
  }
  const message: Record<string, unknown> = {};
  for (const [given, inner] of Object.entries(value)) {
    const name = toCamelCase(given);
    const field = Object.hasOwn(spec, name) ? spec[name] : undefined;
    if (!field) {
      throw badJson(
        path,
        `Invalid JSON payload received. Unknown name "${given}"${at(path)}: Cannot find field.`,
      );
    }
    if (inner !== null) message[name] = readField(inner, field, path === '' ? given : `${path}.${given}`);
  }
  return message;
}

function readField(value: unknown, field: MessageField, path: string): unknown {
  if (typeof field === 'object' && 'message' in field) return readMessage(value, field.message, path);
  if (typeof field === 'object' && 'list' in field) {
    if (!Array.isArray(value)) throw badValue(path, 'TYPE_MESSAGE', value);
    return value.map((element, index) => readMessage(element, field.list, `${path}[${index}]`));
  }
  if (typeof field === 'object') {
    if (typeof value === 'string' && field.enum.includes(value)) return value;
    throw badValue(path, field.typeName, value);
  }
  if (field === 'string') {
    if (typeof value !== 'string') throw badValue(path, 'TYPE_STRING', value);
    return value;
  }
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'string' && /^-?\d{1,19}$/.test(value)) return value;
  throw badValue(path, `TYPE_${field.toUpperCase()}`, value);
}

function at(path: string): string {
  return path === '' ? '' : ` at '${path}'`;
}

function badValue(path: string, type: string, value: unknown): Error {
  return badJson(path, `Invalid value at '${path}' (${type}), ${JSON.stringify(value)}`);
}

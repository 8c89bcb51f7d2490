import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { parseJson } from '@connector-auth/api';
import type { Arguments } from '../arguments.ts';
import { UsageError } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import type { Field } from './fields.ts';

/** Returns the value for one option, such as the id for a name. */
type Convert = (field: Field, text: string) => Promise<unknown>;

/**
 * Returns the object that the options describe.
 * @param findId returns the id for a name or an id.
 * @throws UsageError if the text of an option has no valid value.
 */
export async function readFields(
  fields: readonly Field[],
  given: Arguments,
  {
    findId,
    terminal,
  }: { readonly findId: (noun: string, text: string) => Promise<string>; readonly terminal: Terminal },
): Promise<Record<string, unknown>> {
  const convert: Convert = async (field, text) =>
    field.noun === null ? await readValue(field, text, terminal) : await findId(field.noun, text);
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    const values: unknown[] = [];
    for (const text of given.all(field.option)) values.push(await convert(field, text));
    const isCleared = given.has(`no-${field.option}`);
    if (isCleared && values.length > 0) {
      throw new UsageError(`--${field.option} and --no-${field.option} exclude each other`);
    }
    if (isCleared && field.clears !== null) put(result, field.path, field.clears.to);
    if (values.length > 0) put(result, field.path, field.isRepeatable ? values : values[0]);
  }
  return result;
}

/** Sets a property, which may be nested. */
function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = (target[name] ??= {});
  // Only objects are created above.
  put(inner as Record<string, unknown>, rest, value);
}

async function readValue(field: Field, text: string, { input }: Terminal): Promise<unknown> {
  switch (field.type) {
    case 'text':
      return text;
    case 'time':
      return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
    case 'flag':
      return true;
    case 'number':
      if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`--${field.option} must be a whole number`);
      return Number(text);
    case 'json-file':
      return readJson(field, (await readBytes(field, text, input)).toString('utf8'));
    case 'base64-file':
      return (await readBytes(field, text, input)).toString('base64');
  }
}

/** Reads a file, or the standard input if the path is `-`, so that secrets need not be arguments. */
async function readBytes(field: Field, path: string, input: Terminal['input']): Promise<Buffer> {
  try {
    return path === '-' ? await buffer(input) : await readFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--${field.option} names a file that cannot be read: ${reason}`);
  }
}

function readJson(field: Field, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // The message of the error would contain a part of the file, which may be a secret.
    throw new UsageError(`--${field.option} names a file that does not contain JSON`);
  }
}

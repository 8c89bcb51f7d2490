/**
 * Records the statements of a service, whose process imports this file first. Appends each statement that succeeded to the file
 * at `STATEMENTS_FILE`.
 */
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Client {
  readonly processID: number;
  query(this: Client, text: unknown, values?: readonly unknown[]): unknown;
}

/** A statement on a connection. */
export interface RecordedStatement {
  readonly connection: number;
  readonly text: string;
  readonly values: readonly RecordedValue[];
}

/** A value as pg sends it. Times are stored as milliseconds since 1970, so that they can be shifted. */
export type RecordedValue = string | null | { readonly bytes: string } | { readonly time: number };

// The class that the service uses, whose version may differ from the one here.
const require = createRequire(process.argv[1] ?? '');
const { Client } = require('pg') as { Client: { prototype: Client } };
const { prepareValue } = require('pg/lib/utils') as {
  prepareValue: (value: unknown) => string | Buffer | null;
};
const file = process.env['STATEMENTS_FILE'] ?? '';
// Called with the client.
// oxlint-disable-next-line typescript/unbound-method
const { query } = Client.prototype;

Client.prototype.query = function record(...args) {
  const result = query.apply(this, args);
  const [text, values = []] = args;
  if (result instanceof Promise && typeof text === 'string') {
    const statement: RecordedStatement = { connection: this.processID, text, values: values.map(encode) };
    result.then(
      () => appendFileSync(file, `${JSON.stringify(statement)}\n`),
      () => {},
    );
  }
  return result;
};

/** The first elements of an array: the statements that store records have an array for each column, and a few rows are enough. */
const element = String.raw`(?:"(?:[^"\\]|\\.)*"|[^",{}]*)`;
const firstElements = new RegExp(String.raw`^\{(${element}(?:,${element}){0,2})(?=[,}])`);

function encode(value: unknown): RecordedValue {
  if (value instanceof Date) return { time: value.getTime() };
  const prepared = prepareValue(value);
  if (prepared === null) return null;
  if (Buffer.isBuffer(prepared)) return { bytes: prepared.toString('base64') };
  const elements = firstElements.exec(prepared)?.[1];
  return elements === undefined ? prepared : `{${elements}}`;
}

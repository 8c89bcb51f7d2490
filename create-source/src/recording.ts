import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseVendorJson, stringifyJson } from '@connector-auth/api';
import type { VendorRequest, VendorResponse } from '@connector-auth/connectors/kind';
import { z } from 'zod';

const values = z.record(z.string(), z.unknown());

/** A request as the kind makes it, before credentials are added, and the vendor's response. */
const exchange = z.strictObject({
  request: z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    url: z.url({ protocol: /^https$/ }),
    query: z.record(z.string(), z.string()).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
    form: z.record(z.string(), z.string()).optional(),
  }),
  response: z.strictObject({
    status: z.int(),
    /** Only those that the kind reads. */
    headers: z.record(z.string(), z.string()).default({}),
    /** Omitted if the response was not JSON; null if it was empty. */
    body: z.unknown().optional(),
  }),
});

const call = z.strictObject({
  entity: z.string(),
  action: z.string(),
  params: values.default({}),
  /** The number of records of all pages. Omitted if the recording was not made with `record`. */
  records: z.int().optional(),
  /** What the kind returned: the first record of a list. A test compares it. */
  result: z.unknown().optional(),
  /** The number of recorded pages if the vendor has more. */
  pages: z.int().optional(),
});

/** Where responses are from. */
export const origins = ['vendor', 'sandbox', 'documentation'] as const;

const recording = z.strictObject({
  format: z.literal(1),
  kind: z.string(),
  origin: z.enum(origins),
  /** The time at which the responses were valid, which the kind reads as the current time. */
  now: z.iso.datetime(),
  /** Id of the auth method. */
  method: z.string(),
  /** The credentials that are not secret. */
  credentials: values.default({}),
  settings: values.default({}),
  /** The fields whose values were not replaced. */
  kept: z.array(z.string()).default([]),
  calls: z.array(call),
  exchanges: z.array(exchange),
  /** The response to credentials that are wrong. */
  rejection: exchange.shape.response.optional(),
  /** The response of the token endpoint, without its tokens. Default: the members that RFC 6749 defines. */
  token: values.optional(),
});

export type Recording = z.output<typeof recording>;
export type Exchange = Recording['exchanges'][number];
export type RecordedCall = Recording['calls'][number];

/**
 * Reads a recording.
 * @throws Error with all issues of the file.
 */
export async function readRecording(file: string): Promise<Recording> {
  const parsed = recording.safeParse(parseVendorJson(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is not a recording:\n${z.prettifyError(parsed.error)}`);
}

export async function writeRecording(file: string, recorded: Recording): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${stringifyJson(recorded, 2)}\n`);
}

/** Returns a request in the form of a recording. */
export function requestOf({ method, url, query, headers, body, form }: VendorRequest): Exchange['request'] {
  const texts = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return {
    method,
    url,
    ...(texts.length > 0 && { query: Object.fromEntries(texts) }),
    ...(headers !== undefined && Object.keys(headers).length > 0 && { headers: { ...headers } }),
    ...(form !== undefined && { form: { ...form } }),
    body,
  };
}

export function responseOf({ status, headers, body }: Exchange['response']): VendorResponse {
  return { status, headers, body };
}

/** Returns a text that is the same for equal requests. */
export function keyOf(request: Exchange['request']): string {
  return stringifyJson(sorted(request));
}

/** Returns the words of a request, in an order that depends on nothing but its form. */
export function wordsOfRequest({ url, ...parts }: Exchange['request']): string[] {
  return stringifyJson([url, sorted(parts)]).split(/[^\p{L}\p{N}]+/u);
}

/**
 * Returns how much the words of a request differ from those of a known one, each as it was or as it is replaced. What is not replaced
 * counts a little, because moved times can be those of another request.
 */
export function differenceOf(
  asked: readonly string[],
  known: readonly string[],
  replaced: readonly string[] = known,
): number {
  let difference = 0;
  for (let index = 0; index < Math.max(asked.length, known.length); index++) {
    if (asked[index] === replaced[index]) continue;
    difference += asked[index] === known[index] ? 1 : 1_000_000;
  }
  return difference;
}

/** Returns the value with the members of objects in alphabetical order, and without undefined ones. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** Returns a request in one line for a message. */
export function describeRequest({ method, url, query, body, form }: Exchange['request']): string {
  const search = new URLSearchParams(query).toString();
  const payload = body ?? form;
  return `${method} ${url}${search === '' ? '' : `?${search}`}${payload === undefined ? '' : ` ${short(payload)}`}`;
}

/** Returns a value as JSON for a message, shortened. */
export function short(value: unknown, maxLength = 200): string {
  const text = value === undefined ? 'nothing' : stringifyJson(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

import {
  asObject,
  createTransport,
  TransportError,
  type Transport,
  type VendorRequest,
  type VendorResponse,
} from '@connector-auth/connectors/kind';
import { Agent } from 'undici';

/** The statuses with which the vendor rejects requests, or `success` to add its texts to successful responses. */
export type Echo = 'off' | 'success' | 400 | 401 | 403 | 404 | 429 | 500;

/** The sandbox, except that it can repeat everything that it received in the texts of its responses. */
export interface EchoingVendor {
  readonly transport: Transport;
  /** Whether and how the vendor repeats requests. */
  echo: Echo;
  /** How the vendor repeats requests for tokens, if not like the others. */
  refreshEcho: Echo | null;
  /** The secrets that the vendor has received and repeated. */
  readonly repeated: ReadonlySet<string>;
  close(): Promise<void>;
}

export function createEchoingVendor(sandboxUrl: string): EchoingVendor {
  const dispatcher = new Agent();
  const sandbox = createTransport({ sandboxUrl, dispatcher });
  const repeated = new Set<string>();
  const vendor: EchoingVendor & { repeated: Set<string> } = {
    echo: 'off',
    refreshEcho: null,
    repeated,
    transport: async (request, call) => {
      const echo = (isTokenRequest(request) ? vendor.refreshEcho : null) ?? vendor.echo;
      if (echo === 'off') return sandbox(request, call);
      for (const secret of secretsIn(request)) repeated.add(secret);
      const text = repeatedText(request);
      if (echo !== 'success') return rejection(request, echo, text);
      const response = await sandbox(request, call).catch((error: unknown) => {
        if (error instanceof TransportError) return rejection(request, 400, text);
        throw error;
      });
      return isTokenRequest(request) ? response : { ...response, body: withText(response.body, text) };
    },
    close: () => dispatcher.close(),
  };
  return vendor;
}

/** Returns a request in all the forms in which a vendor may write it into a message. */
function repeatedText({ url, query, headers, form, body }: VendorRequest): string {
  const received = { url, query, headers, form, body };
  const texts = strings(received);
  const json = JSON.stringify(received, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return [
    ...texts,
    json,
    JSON.stringify(json),
    encodeURIComponent(json),
    Buffer.from(json).toString('base64'),
    Buffer.from(json).toString('hex'),
    ...texts.map(text => Buffer.from(text).toString('base64')),
    new URLSearchParams({ ...form }).toString(),
  ].join(' | ');
}

const secretNames =
  /^(?:client_?secret|secret|refresh_token|access_token|token|code|auth_code|code_verifier|access-token|developer-token|authorization)$/i;

function secretsIn({ query, headers, form, body }: VendorRequest): string[] {
  const named = [query, headers, form, asObject(body)].flatMap(values => Object.entries(values ?? {}));
  return named.flatMap(([name, value]) => {
    if (typeof value !== 'string' || !secretNames.test(name)) return [];
    if (!value.startsWith('Basic ')) return [value.replace('Bearer ', '')];
    const pair = value.slice('Basic '.length);
    return [pair, ...Buffer.from(pair, 'base64').toString().split(':').slice(1)];
  });
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

function isTokenRequest({ url }: VendorRequest): boolean {
  return /\/(?:token|generate-customer-token|access_token\/?)$/.test(url);
}

/** Returns an error in the vendor's own format, with the text wherever the vendor has a text. */
function rejection(
  request: VendorRequest,
  status: 400 | 401 | 403 | 404 | 429 | 500,
  text: string,
): VendorResponse {
  const headers = status === 429 ? { 'retry-after': '900' } : {};
  const { host } = new URL(request.url);
  if (host.endsWith('tiktok.com')) {
    const code = { 400: 40002, 401: 40105, 403: 40001, 404: 40007, 429: 40100, 500: 50000 }[status];
    return { status: 200, headers, body: { code, message: text, request_id: text, data: { text } } };
  }
  if (isTokenRequest(request)) {
    const error = { 400: 'invalid_grant', 401: 'invalid_client' }[status as 400 | 401] ?? text;
    return { status, headers, body: { error, error_description: text, errors: [text] } };
  }
  if (host.endsWith('googleapis.com')) {
    const error = {
      errorCode: { requestError: text },
      message: text,
      location: { fieldPathElements: [{ fieldName: text }] },
    };
    const details = [
      { errors: [error], reason: text, fieldViolations: [{ field: text, description: text }] },
    ];
    return { status, headers, body: { error: { message: text, status: text, details } } };
  }
  return {
    status,
    headers,
    body: { message: text, error: text, code: text, errors: [text, { message: text }] },
  };
}

/** Adds the text to every object of a body that has an id or a name, as a new member and in its titles. */
function withText(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map(item => withText(item, text));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    /^(?:title|name|text|descriptiveName)$/.test(name) && typeof member === 'string'
      ? text
      : withText(member, text),
  ]);
  return { ...(Object.fromEntries(members) as object), repeated: text, [text]: 'as a name' };
}

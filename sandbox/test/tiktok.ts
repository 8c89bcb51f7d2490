import { readFileSync } from 'node:fs';
import { request } from 'undici';
import type { RunningSandbox } from '../src/start.ts';

/** A response of the simulated TikTok API; the tests assert its content. */
export interface TikTokResponse {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: {
    readonly code: number;
    readonly message: string;
    readonly request_id: string;
    readonly data: {
      readonly list: Record<string, unknown>[];
      readonly page_info: { page: number; page_size: number; total_number: number; total_page: number };
      readonly [name: string]: unknown;
    };
  };
}

export const API = '/business-api.tiktok.com/open_api/v1.3';
export const US = '7210046633581101057';
export const EU = '6998112233445566778';
export const JAPAN = '7305518842910334977';
export const EMPTY = '7461200983377453058';
export const OTHER_OWNER = '7188300456120987649';
export const LARGE = '7502933100842217473';

/** Reads a recorded response body. */
export function sample(name: string): TikTokResponse['body'] {
  return JSON.parse(
    readFileSync(new URL(`../src/tiktok-marketing/fixtures/${name}.json`, import.meta.url), 'utf8'),
  );
}

/** Calls the API as the connector does: parameters other than strings are sent as JSON. */
export function tiktokClient(sandbox: RunningSandbox): {
  readonly token: string;
  get(path: string, parameters?: Record<string, unknown>, token?: string | null): Promise<TikTokResponse>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TikTokResponse>;
  /** Returns the records from all pages of a list. */
  listAll(path: string, parameters: Record<string, unknown>): Promise<Record<string, unknown>[]>;
} {
  const vendor = sandbox.control.vendors().find(({ key }) => key === 'tiktok-marketing');
  const token = vendor?.credentials[0]?.values['access_token'] ?? '';
  const send = async (url: string, options: Parameters<typeof request>[1]): Promise<TikTokResponse> => {
    const { statusCode, headers, body } = await request(url, options);
    return { status: statusCode, headers, body: (await body.json()) as TikTokResponse['body'] };
  };
  const get = async (
    path: string,
    parameters: Record<string, unknown> = {},
    given: string | null = token,
  ): Promise<TikTokResponse> => {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    return send(`${sandbox.url}${API}${path}?${query.toString()}`, {
      headers: given === null ? {} : { 'access-token': given },
    });
  };
  return {
    token,
    get,
    post: (path, body, headers = {}) =>
      send(`${sandbox.url}${API}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    listAll: async (path, parameters) => {
      const records: Record<string, unknown>[] = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const { body } = await get(path, { ...parameters, page });
        if (body.code !== 0) throw new Error(body.message);
        records.push(...body.data.list);
        pages = body.data.page_info.total_page;
      }
      return records;
    },
  };
}

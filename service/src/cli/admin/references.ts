import type { Endpoint } from '@connector-auth/api';
import { adminEndpoints } from '@connector-auth/api/admin';

/** A list in which the id of a thing can be looked up by its name. */
export interface ReferenceList {
  readonly path: string;
  /** Whether the list has a `search` parameter. */
  readonly isSearchable: boolean;
  /** The path of one thing with `{id}`, if it can be read. */
  readonly itemPath: string | null;
}

/** The things that can be looked up by name, by what an id of them is called: `organization`, `customer`. */
export const references: ReadonlyMap<string, ReferenceList> = new Map(
  Object.values<Endpoint>(adminEndpoints).flatMap(({ path }) => {
    const [, listPath, noun] = /^([^{]+)\/\{(\w+)_id\}/.exec(path) ?? [];
    const list = Object.values<Endpoint>(adminEndpoints).find(
      endpoint => endpoint.method === 'GET' && endpoint.path === listPath,
    );
    if (listPath === undefined || noun === undefined || list === undefined) return [];
    const item = Object.values<Endpoint>(adminEndpoints).find(
      endpoint => endpoint.method === 'GET' && endpoint.path === `${listPath}/{${noun}_id}`,
    );
    return [
      [
        noun,
        {
          path: listPath,
          isSearchable: list.query !== undefined && 'search' in list.query.shape,
          itemPath: item === undefined ? null : `${listPath}/{id}`,
        },
      ] as const,
    ];
  }),
);

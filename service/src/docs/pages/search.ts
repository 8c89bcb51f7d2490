import type { Kind } from '@connector-auth/connectors/kind';
import { html, type Html } from '../../http/html.ts';
import { table } from '../parts.ts';
import { kindPath } from './kind.ts';

/** Renders, for each searchable entity, when changes and deletions reach search. */
export function freshnessTable(kinds: readonly Kind[]): Html {
  const rows = kinds.flatMap(kind =>
    Object.entries(kind.entities).flatMap(([name, { search }]) =>
      search
        ? [
            [
              html`<a href="${kindPath(kind)}/${name}#search">${kind.name} <code>${name}</code></a>`,
              'each sync',
              search.sync.incremental ? 'each full sync' : 'each sync',
            ],
          ]
        : [],
    ),
  );
  return table('When changes reach search', ['Entity', 'New and changed records', 'Deletions'], rows);
}

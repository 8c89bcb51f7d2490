import { parseJson } from '@connector-auth/api';
import { z } from 'zod';
import { CommandError } from '../command.ts';
import { count } from '../count.ts';
import { formatTable } from '../table.ts';
import { printable } from '../terminal.ts';
import type { AdminApi } from './admin-api.ts';
import { shortText } from './output.ts';
import { references, type ReferenceList } from './references.ts';

/** A thing that an argument refers to. */
export interface Target {
  readonly id: string;
  /** Its name, or its id if it has no name. */
  readonly name: string;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const maxPages = 50;

const item = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  client_id: z.string().optional(),
  status: z.string().optional(),
  created_at: z.string().optional(),
  /** What an incident is about. */
  target: z.string().optional(),
  organization: z.looseObject({ name: z.string() }).optional(),
});
const itemPage = z.object({
  data: z.array(item),
  meta: z.object({ cursor: z.string().nullable(), has_more: z.boolean() }),
});
type Item = z.infer<typeof item>;

/**
 * Returns the id for an argument that is an id or an exact name. Applications are also found by client id.
 * @param noun what the argument refers to, such as `organization`.
 * @throws CommandError if the name does not exist or is ambiguous.
 */
export async function findTarget(api: AdminApi, noun: string, text: string): Promise<Target> {
  if (uuid.test(text)) return { id: text, name: text };
  const list = references.get(noun);
  if (list === undefined) {
    throw new CommandError(
      `Error: "${printable(text)}" is not an id. A ${noun} has no name, so give its id.`,
    );
  }
  const matches: Item[] = [];
  for await (const candidate of itemsOf(api, list, text)) {
    if (candidate.name === text || candidate.client_id === text) matches.push(candidate);
  }
  const [match, ...others] = matches;
  if (match === undefined) {
    throw new CommandError(
      `Error: no ${noun} has the name "${printable(text)}". Names must match exactly, including case. ` +
        `List them with "connector-auth-service admin ${list.path.split('/').at(-1)} list".`,
    );
  }
  if (others.length > 0) {
    throw new CommandError(
      `Error: ${count(matches.length, noun)} have the name "${printable(text)}". Give the id of one of them:\n${describe(matches)}`,
    );
  }
  return { id: match.id, name: match.name ?? match.id };
}

/** Lists things that share a name, with the members in which they differ. */
function describe(matches: readonly Item[]): string {
  const columns = ['id', 'name', 'client_id', 'organization', 'status', 'created_at'].filter(column =>
    matches.some(match => match[column] !== undefined),
  );
  const rows = matches.map(match => columns.map(column => shortText(match[column])));
  return formatTable(
    columns.map(column => column.toUpperCase()),
    rows,
    null,
  );
}

/** Returns the name of a thing whose id is known, or its id if the name cannot be read. */
export async function nameOf(api: AdminApi, noun: string, id: string): Promise<string> {
  const path = references.get(noun)?.itemPath;
  if (path === null || path === undefined) return id;
  const { text } = await api.send({ method: 'GET', path: path.replace('{id}', id), isRetryable: true });
  const { name, target } = item.safeParse(parseJson(text)).data ?? {};
  return name ?? target ?? id;
}

async function* itemsOf(api: AdminApi, list: ReferenceList, name: string): AsyncGenerator<Item> {
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const query: Record<string, string> = {
      ...(list.isSearchable && name.length <= 200 ? { search: name } : {}),
      ...(cursor === null ? {} : { cursor }),
    };
    const { text } = await api.send({ method: 'GET', path: list.path, query, isRetryable: true });
    const { data, meta } = itemPage.parse(parseJson(text));
    yield* data;
    if (!meta.has_more || meta.cursor === null) return;
    cursor = meta.cursor;
  }
}

import { stringifyJson } from '@connector-auth/api';
import { formatTable } from '../table.ts';
import { printable, type Terminal } from '../terminal.ts';

type Item = Readonly<Record<string, unknown>>;

/** Properties whose value no later response contains. */
const shownOnce = ['client_secret', 'key'];
/** Columns that are most useful come first, because a narrow terminal has no room for all. */
const firstColumns = [
  'at',
  'name',
  'status',
  'state',
  'scope',
  'target',
  'action',
  'target_name',
  'outcome',
  'connector',
  'connector_type',
  'entity',
  'organization',
  'customer',
  'client_id',
  'organizations',
];
/** Columns that cannot be truncated, because the next command needs the whole value. */
const wholeColumns = ['id', 'client_id'];
/** Not shown in tables, because they are of use only to programs. */
const hiddenColumns = ['version', 'schema', 'meta'];
/** The width of a table that goes to a file or another program. */
const defaultWidth = 120;
const gapWidth = 2;
const maxNarrowWidth = 24;

/**
 * Prints a list as a table that fits the terminal, and names the columns for which there is no room.
 * @param options.isWide prints all columns, of any width.
 */
export function printItems(
  items: readonly Item[],
  terminal: Terminal,
  { isWide = false }: { readonly isWide?: boolean } = {},
): void {
  if (items.length === 0) {
    terminal.note('Nothing found.');
    return;
  }
  const names = columnsOf(items);
  const rows = items.map(item => names.map(name => shortText(item[name])));
  const available = isWide ? Infinity : (terminal.columns ?? defaultWidth);
  const count = fittingColumns(names, rows, available);
  terminal.print(
    formatTable(
      names.slice(0, count).map(headerOf),
      rows.map(row => row.slice(0, count)),
      available,
      wholeColumns.map(headerOf),
    ),
  );
  const left = names.slice(count);
  if (left.length > 0) terminal.note(`For ${left.join(', ')}, add --wide or --json.`);
}

function headerOf(name: string): string {
  return name.toUpperCase();
}

/** Returns the names of the columns that have a value in any item, the most useful ones first. */
function columnsOf(items: readonly Item[]): string[] {
  const names = [...new Set(items.flatMap(item => Object.keys(item)))].filter(
    name => !hiddenColumns.includes(name) && items.some(item => shortText(item[name]) !== ''),
  );
  const rankOf = (name: string): number => {
    // The id is what the next command needs if there is no name. A client id serves as well.
    if (name === 'id' && names.includes('client_id')) return firstColumns.length + 2;
    if (name === 'id') return names.includes('name') ? firstColumns.length : -1;
    const rank = firstColumns.indexOf(name);
    return rank === -1 ? firstColumns.length + 1 : rank;
  };
  return names.sort((a, b) => rankOf(a) - rankOf(b));
}

/** Returns how many columns fit if those with long text are truncated to a readable width. */
function fittingColumns(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  available: number,
): number {
  let used = -gapWidth;
  for (const [index, name] of names.entries()) {
    const width = Math.max(name.length, ...rows.map(row => row[index]?.length ?? 0));
    used += gapWidth + (wholeColumns.includes(name) ? width : Math.min(width, maxNarrowWidth));
    if (used > available) return Math.max(index, 1);
  }
  return names.length;
}

/** Prints one thing with all properties, and says so if it contains a secret that is shown only once. */
export function printDetail(value: Item, terminal: Terminal): void {
  const entries = Object.entries(value).filter(([name]) => name !== 'schema');
  const width = Math.max(...entries.map(([name]) => name.length));
  for (const [name, property] of entries) {
    if (isTable(property)) {
      terminal.print(`${name}:`);
      printItems(property, terminal, { isWide: true });
    } else {
      terminal.print(`${name.padEnd(width)}  ${printable(longText(property))}`.trimEnd());
    }
  }
  noteSecrets(value, terminal);
}

/** Says which properties are secrets that no later response contains. */
export function noteSecrets(value: Item, terminal: Terminal): void {
  for (const name of shownOnce) {
    if (typeof value[name] !== 'string') continue;
    terminal.note(`\n${name} is shown only now. Store it in your secret manager.`);
  }
}

function isTable(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.length > 0 && value.every(isItem) && !value.every(isReference);
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is an id with a name, of which tables show only the name. */
function isReference(value: unknown): value is { readonly id: unknown; readonly name: string } {
  return (
    isItem(value) && 'id' in value && typeof value['name'] === 'string' && Object.keys(value).length === 2
  );
}

/** Formats a value for a cell. */
export function shortText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string')
    return value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/, '$1 $2Z');
  if (Array.isArray(value)) {
    const texts = value.map(shortText).filter(text => text !== '');
    return texts.length === value.length ? texts.join(', ') : `${value.length}`;
  }
  if (!isItem(value)) return stringifyJson(value);
  if (typeof value['name'] === 'string') return value['name'];
  const scalars = Object.entries(value).flatMap(([name, inner]) =>
    isItem(inner) || inner === null ? [] : [`${name} ${shortText(inner)}`],
  );
  return scalars.join(', ');
}

/** Formats a value for a line of its own, with the id of a reference. */
function longText(value: unknown): string {
  if (isReference(value)) return `${value.name} (${String(value.id)})`;
  if (Array.isArray(value)) return value.map(longText).join(', ');
  if (typeof value === 'string') return value;
  if (!isItem(value)) return shortText(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${isItem(inner) ? `(${longText(inner)})` : longText(inner)}`)
    .join(', ');
}

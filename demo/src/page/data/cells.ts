/** Shows values of records as users read them. */
import { count, day, minutes, money, percent, time } from '../format.ts';
import { labelOf, unitOf, type Row } from './fields.ts';
import { noNames, type Names } from './names.ts';

const dayShape = /^\d{4}-\d{2}-\d{2}$/;
const timeShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const constantShape = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

/** Returns a value of a record as text, or an empty string if there is none. */
export function textOf(row: Row, field: string, names: Names): string {
  const value = row[field];
  if (value === null || value === undefined) return '';
  switch (typeof value) {
    case 'number':
      return numberOf(value, row, field, names);
    case 'boolean':
      return value ? 'Yes' : 'No';
    case 'string':
      return stringOf(value, row, field, names);
    case 'object':
      return Array.isArray(value) ? value.map(item => itemOf(item, names)).join(', ') : itemOf(value, names);
    default:
      return '';
  }
}

/** Returns a value as text for a list of a record's values, in which an id is shown as it is. */
export function detailOf(row: Row, field: string, names: Names): string {
  return textOf(row, field, labelOf(field).endsWith('ID') ? noNames : names);
}

/** Returns whether a value lines up at its end, as numbers do. */
export function isNumeric(row: Row, field: string): boolean {
  return typeof row[field] === 'number' && !isId(field);
}

function isId(field: string): boolean {
  return /(^|[._])id$|Id$/.test(field);
}

function numberOf(value: number, row: Row, field: string, names: Names): string {
  if (isId(field)) return names.byId(row, field) ?? String(value);
  const unit = unitOf(field);
  if (unit?.name === 'minutes') return minutes(value);
  if (unit?.name === 'money') return money(value / unit.stored, names.currencyOf(row));
  if (field === 'metrics.conversions_value') return money(value, names.currencyOf(row));
  if (field === 'segments.hour') return `${String(value).padStart(2, '0')}:00`;
  if (field === 'metrics.ctr' || field === 'customer.optimization_score') return percent(value);
  return count(value);
}

function stringOf(value: string, row: Row, field: string, names: Names): string {
  if (field.endsWith('resource_name')) return value;
  const named = isId(field) ? names.byId(row, field) : names.byResource(value);
  if (named !== null) return named;
  if (dayShape.test(value)) return day(value);
  if (timeShape.test(value)) return time(value);
  return isConstant(value, field) ? wordsOf(value) : value;
}

/** Names of people and ids may look like constants. */
function isConstant(value: string, field: string): boolean {
  return /status|type|strength|network|source|mode|goal/i.test(field) && constantShape.test(value);
}

function wordsOf(constant: string): string {
  const words = constant.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns what identifies an object or an item of a list. */
function itemOf(item: unknown, names: Names): string {
  if (typeof item === 'string') return names.byResource(item) ?? item;
  if (typeof item !== 'object' || item === null) return String(item);
  const { name, title, emailAddress, email, brief } = item as Readonly<Record<string, unknown>>;
  const label = [name, title, emailAddress, email, brief].find(
    each => typeof each === 'string' && each !== '',
  );
  return typeof label === 'string' ? label : JSON.stringify(item);
}

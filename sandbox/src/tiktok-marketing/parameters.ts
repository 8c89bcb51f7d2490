import type { Request } from 'express';
import { badParameter } from './envelope.ts';

/**
 * Reads the query of a GET call: strings, or JSON in strings. For an invalid parameter, throws a
 * `TikTokError` with code 40002 that names the parameter.
 */
export interface Parameters {
  /** Reads a string; returns undefined if it is missing or empty. */
  text(name: string): string | undefined;
  required(name: string): string;
  integer(name: string, range: { min: number; max: number; fallback: number }): number;
  /** Reads a JSON array of strings. Converts numbers to strings. */
  strings(name: string): string[] | undefined;
  json(name: string): unknown;
}

/** Reads the query of a request. If a parameter is repeated, its last value is used. */
export function readParameters(request: Request): Parameters {
  const text = (name: string): string | undefined => {
    const value = [request.query[name]].flat().at(-1);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const json = (name: string): unknown => {
    const given = text(name);
    return given === undefined ? undefined : parseJson(name, given);
  };
  return {
    text,
    json,
    required: name => {
      const value = text(name);
      if (value === undefined) throw badParameter(`${name}: Missing data for required field.`);
      return value;
    },
    integer: (name, { min, max, fallback }) => {
      const given = text(name);
      if (given === undefined) return fallback;
      if (!/^-?\d{1,15}$/.test(given)) throw badParameter(`${name}: Not a valid integer.`);
      const value = Number(given);
      if (value < min || value > max) {
        throw badParameter(
          `${name}: Value must be greater than or equal to ${min} and less than or equal to ${max}.`,
        );
      }
      return value;
    },
    strings: name => {
      const value = json(name);
      return value === undefined ? undefined : readStrings(name, value);
    },
  };
}

/** Parses JSON; `name` is the parameter's name in error messages. */
export function parseJson(name: string, text: string): unknown {
  try {
    // Quotes ids sent as numbers before parsing, so that they do not lose digits.
    return JSON.parse(text.replace(/(?<=[[,:]\s*)\d{16,}(?=\s*[\],}])/g, '"$&"'));
  } catch {
    throw badParameter(`${name}: Not a valid JSON.`);
  }
}

/** Reads a list of strings from parsed JSON; `name` is the parameter's name in error messages. */
export function readStrings(name: string, value: unknown): string[] {
  const isList =
    Array.isArray(value) && value.every(one => typeof one === 'string' || typeof one === 'number');
  if (!isList) throw badParameter(`${name}: Not a valid list.`);
  return value.map(String);
}

/** The `page_info` of a list. An empty list has one page. */
export interface PageInfo {
  readonly page: number;
  readonly page_size: number;
  readonly total_number: number;
  readonly total_page: number;
}

/** Returns the requested page of a list, which is empty if it is past the list's end. */
export function cutPage<T>(
  parameters: Parameters,
  sizes: { fallback: number; max: number },
  rows: readonly T[],
): { rows: T[]; pageInfo: PageInfo } {
  const page = parameters.integer('page', { min: 1, max: 1_000_000, fallback: 1 });
  const pageSize = parameters.integer('page_size', { min: 1, max: sizes.max, fallback: sizes.fallback });
  const total = rows.length;
  return {
    rows: rows.slice((page - 1) * pageSize, page * pageSize),
    pageInfo: {
      page,
      page_size: pageSize,
      total_number: total,
      total_page: Math.max(1, Math.ceil(total / pageSize)),
    },
  };
}

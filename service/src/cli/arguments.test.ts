import { describe, expect, test } from 'vitest';
import { helpOf, parseArguments, type Syntax } from './arguments.ts';
import { UsageError } from './command.ts';

const syntax: Syntax = {
  command: 'shelve',
  summary: 'Put a book on a shelf',
  positionals: ['book'],
  options: {
    shelf: { value: 'name', description: 'Where it goes', isRequired: true },
    label: { value: 'text', description: '', isRepeatable: true },
    quietly: { value: null, description: '' },
  },
};

test('parses arguments and options in any order', () => {
  const given = parseArguments(['--label', 'a', 'Emma', '--shelf=Novels', '--quietly', '--label=-b'], syntax);
  expect(given?.positionals).toEqual(['Emma']);
  expect(given?.get('shelf')).toBe('Novels');
  expect(given?.all('label')).toEqual(['a', '-b']);
  expect([given?.has('quietly'), given?.has('loudly')]).toEqual([true, false]);
});

test('treats arguments after -- as values', () => {
  expect(parseArguments(['--shelf', 'x', '--', '--Emma'], syntax)?.positionals).toEqual(['--Emma']);
});

test.each([['--help'], ['-h'], ['--nonsense', '--help'].slice(1)])('returns null for %s', (...args) => {
  expect(parseArguments(args, syntax)).toBeNull();
});

describe('reports', () => {
  test.each([
    ['a misspelled option', ['x', '--shelve', 'y'], 'Unknown option --shelve. Did you mean --shelf?'],
    ['an abbreviated option', ['x', '--quiet'], 'Unknown option --quiet. Did you mean --quietly?'],
    ['an unknown option', ['x', '--colour'], 'Unknown option --colour'],
    ['an inherited property', ['x', '--constructor'], 'Unknown option --constructor'],
    ['a short option', ['x', '-s', 'y'], 'Unknown option -s'],
    ['an option without a value', ['x', '--shelf'], '--shelf needs a value: --shelf <name>'],
    ['an option followed by another one', ['x', '--shelf', '--quietly'], '--shelf needs a value'],
    ['a flag with a value', ['x', '--shelf', 'y', '--quietly=yes'], '--quietly takes no value'],
    ['a repeated option', ['x', '--shelf', 'y', '--shelf', 'z'], '--shelf can be given only once'],
    ['a missing option', ['x'], '--shelf <name> is required'],
    ['a missing argument', ['--shelf', 'y'], '<book> is missing: connector-auth-service shelve <book>'],
    ['an extra argument', ['x', 'y', '--shelf', 'z'], 'Unexpected argument "y"'],
  ])('%s', (_, args, message) => {
    expect(() => parseArguments(args, syntax)).toThrow(UsageError);
    expect(() => parseArguments(args, syntax)).toThrow(message);
  });
});

test('writes help that names every option', () => {
  expect(helpOf(syntax)).toBe(`Put a book on a shelf.

Usage: connector-auth-service shelve <book> --shelf <name> [options]

Options:
  --shelf <name>  Where it goes (required)
  --label <text>  (repeatable)
  --quietly
  --help          Show this help`);
});

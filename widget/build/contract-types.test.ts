import { expect, test } from 'vitest';
import { contractNames, contractTypes, importFrom } from './contract-types.ts';

const declaration = `import type { Connector, Issue as Problem } from '@connector-auth/api';
import { html } from 'lit';
`;

test('finds the types that declarations import from the contract', () => {
  expect(contractNames([declaration, "import { type Connector } from '@connector-auth/api';"])).toEqual([
    'Connector',
    'Issue',
  ]);
});

test('imports them from another module, and leaves other imports', () => {
  expect(importFrom(declaration, '../contract.ts')).toBe(
    declaration.replace('@connector-auth/api', '../contract.ts'),
  );
});

test('rejects a declaration that would still need the contract', () => {
  const inline = "export declare const a: import('@connector-auth/api').Connector;";
  expect(() => importFrom(inline, './contract.ts')).toThrow('other than by a plain import');
  expect(() => contractTypes("import { z } from 'zod';")).toThrow('not expanded');
});

/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureWidget } from '../../scripts/ensure-served.ts';
import { en } from '../src/messages/en.ts';

test('keeps the words for the states of connections in the first view', async () => {
  await ensureWidget();
  const code = readFileSync(join(import.meta.dirname, '../dist/chunks/connector-auth.js'), 'utf8');
  const words = Object.entries(en).flatMap(([name, text]) =>
    name.startsWith('status') && typeof text === 'string' ? [text] : [],
  );
  expect(words.filter(text => !code.includes(text))).toEqual([]);
});

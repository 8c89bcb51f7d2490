import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// The compiler checks the examples, as it checks all code.
test.each(['open-source-mode', 'hosted-mode'])('the README contains the example %s verbatim', name => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8'));
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backendSnippet, demoCommand, environmentBlock } from './connect-code.ts';

const example = readFileSync(join(import.meta.dirname, '../../../server-helper/examples/app.ts'), 'utf8');

test('the backend code is the tested example of the server helper', () => {
  expect(backendSnippet(false)).toBe(example);
});

test('the backend code names the organization if there are several', () => {
  expect(backendSnippet(true)).toContain('  organizationId: ORGANIZATION_ID,\n');
});

test('the environment has every variable that the example reads', () => {
  const block = environmentBlock({
    serviceUrl: 'https://connect.example.com',
    clientId: 'client-1',
    clientSecret: 'secret-1',
    organizations: [{ id: 'o1', name: 'One' }],
  });
  expect(block).toBe('SERVICE_URL=https://connect.example.com\nCLIENT_ID=client-1\nCLIENT_SECRET=secret-1');
  for (const line of block.split('\n')) expect(example).toContain(`${line.split('=')[0]} = ''`);
});

test('the demo command is the one in the README, with the credentials of the application', () => {
  const command = demoCommand({
    serviceUrl: 'https://connect.example.com',
    clientId: 'client-1',
    clientSecret: 'secret-1',
    organizations: [{ id: 'o1', name: 'One' }],
  });
  expect(command).toBe(
    'SERVICE_URL=https://connect.example.com CLIENT_ID=client-1 CLIENT_SECRET=secret-1 npx -y pnpm@12 demo',
  );
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  for (const part of command.split(' ')) expect(readme).toContain(part.replace(/=.*/, '='));
});

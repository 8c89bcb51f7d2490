import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeFor, demoCommand, environmentBlock, stacks } from './connect-code.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
const example = read('server-helper/examples/app.ts');

describe('the code of a stack', () => {
  test('exists for each stack of the README', () => {
    const rows = [...read('README.md').matchAll(/^\| (.+?) +\| \[`examples\/([\w-]+)`\].*`npm /gm)];
    const named = rows.map(([, title, name]) => `${name}: ${title}`);
    expect(named).toEqual(expect.arrayContaining(stacks.map(({ name, title }) => `${name}: ${title}`)));
    // The others have no page that connects sources.
    expect(named.filter(row => !/^(open-source-mode|postgres):/.test(row))).toHaveLength(stacks.length);
  });

  test.each(stacks)('installs $name from packed files, because no registry has our packages', stack => {
    const { install, needs } = codeFor(stack, false);
    expect(install).toBe(`npx -y pnpm@12 tarballs ${stack.name}`);
    expect(needs.filter(name => name.startsWith('@connector-auth/'))).toEqual([]);
    expect(Object.keys(stack.dependencies)).toEqual(expect.arrayContaining([...needs]));
  });

  test.each(stacks)('is a tested example of the server helper for $name', stack => {
    const file = { next: 'next.ts', hono: 'hono.ts' }[stack.name] ?? 'app.ts';
    const code = codeFor(stack, false).files.map(({ code }) => code);
    expect(code).toContain(read(`server-helper/examples/${file}`));
  });

  test.each(stacks)('names the organization for $name if there are several', stack => {
    const code = codeFor(stack, true)
      .files.map(({ code }) => code)
      .join('\n');
    expect(code).toContain("CLIENT_SECRET = '', ORGANIZATION_ID = '',");
    expect(code).toContain('  organizationId: ORGANIZATION_ID,\n');
  });
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
  const readme = read('README.md');
  for (const part of command.split(' ')) expect(readme).toContain(part.replace(/=.*/, '='));
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installLines } from './install-lines.ts';
import { installCommand, roleNamed, roles } from './roles.ts';
import { root } from './steps.ts';

const packed = new Map([
  ['@us/widget', { path: '/packed/widget.tgz', dependencies: [] }],
  ['@us/api', { path: '/packed/api.tgz', dependencies: [] }],
  ['@us/kinds', { path: '/packed/kinds.tgz', dependencies: ['@us/api'] }],
  ['@us/service', { path: '/packed/service.tgz', dependencies: ['@us/kinds'] }],
]);

describe('the lines that install packed packages', () => {
  it('install a package without inner dependencies in one step', () => {
    expect(installLines(['@us/widget'], packed)).toEqual({
      npm: 'npm install /packed/widget.tgz',
      pnpm: 'pnpm add /packed/widget.tgz',
      yarn: 'yarn add @us/widget@file:/packed/widget.tgz',
    });
  });

  it('name all inner dependencies, because no registry has them', () => {
    expect(installLines(['@us/service'], packed)).toEqual({
      npm: 'npm install /packed/service.tgz /packed/api.tgz /packed/kinds.tgz',
      pnpm:
        'pnpm config set --location project --json overrides ' +
        `'{"@us/api":"file:/packed/api.tgz","@us/kinds":"file:/packed/kinds.tgz"}' && pnpm add /packed/service.tgz`,
      yarn:
        "npm pkg set 'resolutions[@us/api]=file:/packed/api.tgz' 'resolutions[@us/kinds]=file:/packed/kinds.tgz'" +
        ' && yarn add @us/service@file:/packed/service.tgz',
    });
  });

  it('install packages from the registry beside them', () => {
    const lines = installLines(['@us/widget'], packed, ['database@0.5']);
    expect(Object.values(lines).filter(line => line.endsWith(' database@0.5'))).toHaveLength(3);
  });

  it('quote paths that a shell would split', () => {
    const { npm } = installLines(['a'], new Map([['a', { path: "/Ann's code/a.tgz", dependencies: [] }]]));
    expect(npm).toBe(String.raw`npm install '/Ann'\''s code/a.tgz'`);
  });

  it('report an unknown package', () => {
    expect(() => installLines(['@us/api2'], packed)).toThrow('There is no package @us/api2');
  });
});

describe('the packages to install', () => {
  it.each(Object.values(roles))('for $title are in the README', role => {
    const row = `| ${role.title} `;
    const line = readFileSync(join(root, 'README.md'), 'utf8')
      .split('\n')
      .find(each => each.startsWith(row));
    expect(line).toContain(`\`${installCommand(role)}\``);
  });

  it.each([
    [['widget', '@connector-auth/api'], ['widget', 'api'], []],
    [['express-html'], ['server-helper', 'widget'], []],
    [['next', 'widget'], ['api', 'connectors', 'server-helper', 'widget'], []],
    [['curl'], [], []],
    [['agent', 'trial'], ['connectors', 'service'], ['@electric-sql/pglite@0.5']],
  ])('for %j are %j and %j', (names, packages, others) => {
    expect(roleNamed(names)).toMatchObject({ packages, others });
  });
});

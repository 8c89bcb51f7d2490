import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainOldNode as explainInSandbox } from '../../sandbox/src/node-version.ts';
import { explainOldNode } from './node-version.ts';

test.each(['20.20.2', '22.18.0', '18.0.0'])('Node %s is too old', version => {
  expect(explainOldNode(version)).toBe(
    `Connector Auth needs Node 22.19 or newer, but Node ${version} is running. ` +
      'Install a newer version, for example from https://nodejs.org.',
  );
});

test.each(['22.19.0', '23.1.0', '24.21.0'])('Node %s is new enough', version => {
  expect(explainOldNode(version)).toBeNull();
});

test.each(['api', 'connectors', 'server-helper', 'service', 'sandbox', 'create-source'])(
  'the engines of %s name the version that is checked',
  folder => {
    const { engines } = JSON.parse(
      readFileSync(new URL(`../../${folder}/package.json`, import.meta.url), 'utf8'),
    ) as { engines: { node: string } };
    const explain = folder === 'sandbox' ? explainInSandbox : explainOldNode;
    expect(explain('20.0.0')).toContain(`needs Node ${engines.node.replace('>=', '')} or newer`);
  },
);

import { stringifyJson } from '@connector-auth/api';
import { kinds } from '@connector-auth/connectors';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { describeService } from './document.ts';

test('has no errors and no warnings in Redocly, which also checks every example against its schema', async () => {
  // As text, because comparing an object with the type of all settings takes the compiler seconds.
  const config = await createConfig(`
    extends: [recommended]
    rules:
      # Records contain whatever else the vendor sends.
      no-invalid-media-type-examples: { severity: error, allowAdditionalProperties: true }
  `);
  const problems = await lintFromString({
    source: stringifyJson(describeService('https://connectors.acme.test', '1.2.3', kinds)),
    config,
  });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

import { test } from 'vitest';
import { expectNoEnglish } from '../../test/english-left.ts';
import '../index.ts';

test.each(['ar', 'es', 'fr', 'ja', 'pt', 'zh'] as const)(
  'no screen shows our English words in %s',
  language => expectNoEnglish(language),
  60_000,
);

import { test } from 'vitest';
import { expectNoEnglish } from '../../test/english-left.ts';
import '../index.ts';

test('no screen shows our English words in German', () => expectNoEnglish('de'), 60_000);

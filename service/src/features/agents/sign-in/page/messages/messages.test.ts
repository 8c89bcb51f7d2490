import { describe } from 'vitest';
import { testTranslations } from '../../../../../../test/translations.ts';
import { messages } from './index.ts';

describe('messages on the pages where a person allows an agent', () => testTranslations(messages));

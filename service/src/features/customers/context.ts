import type { Needs } from '../../shared/core.ts';

export type CustomersContext = Needs<'db' | 'kinds' | 'revocations' | 'notifications' | 'log'>;

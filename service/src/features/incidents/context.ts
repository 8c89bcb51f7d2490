import type { Needs } from '../../shared/core.ts';

export type IncidentsContext = Needs<'db' | 'kinds' | 'revocations' | 'notifications' | 'log'>;

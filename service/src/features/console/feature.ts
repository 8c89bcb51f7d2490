import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { mountConsole } from './routes.ts';

export function operatorConsole({ publicUrl, log }: Needs<'publicUrl' | 'log'>) {
  return { operatorPages: () => mountConsole({ publicUrl, log }) } satisfies Feature;
}

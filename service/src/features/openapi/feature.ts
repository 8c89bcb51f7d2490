import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { mountAdminOpenApi } from '../../shared/http/openapi.ts';
import { mountOpenApi } from './routes.ts';

export function openapi({ kinds, publicUrl, consoleUrl }: Needs<'kinds' | 'publicUrl' | 'consoleUrl'>) {
  return {
    pages: () => mountOpenApi(publicUrl, kinds.all),
    operatorPages: () => mountAdminOpenApi(consoleUrl),
  } satisfies Feature;
}

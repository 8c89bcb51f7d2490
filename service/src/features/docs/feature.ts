import { Router } from 'express';
import type { Needs, Settings } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { mountHome } from './home.ts';
import { mountDocs } from './routes.ts';

export function docs(
  { kinds, publicUrl }: Needs<'kinds' | 'publicUrl'>,
  { console }: Pick<Settings, 'console'>,
): Feature {
  const hasConsole = console.access === 'public';
  return {
    pages: () => Router().use(mountDocs(kinds.all, publicUrl), mountHome(publicUrl, { hasConsole })),
  };
}

import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { findBuild, readBuiltFiles, sendBuiltFile } from '../../../shared/http/built-files.ts';

/** The built widget, which the pages of links contain. */
export interface WidgetFiles {
  /** The path of the script. It contains a hash of all files, because the script loads the others. */
  readonly scriptPath: string;
  readonly router: Router;
}

const base = '/connect/assets';
const script = 'connector-auth.js';

/** In the published package, the build copies the files beside this one. In the workspace, the widget's own build. */
const folders = ['./files/', '../../../../../widget/dist/'].map(path =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Returns the folder with the built widget, or null if it was not built. */
export function findBuiltWidget(): string | null {
  return findBuild(folders, script);
}

/** Serves the script and its languages from a folder. */
export function serveWidget(folder: string): WidgetFiles {
  const files = readBuiltFiles(folder, path => path === script || /^languages\/\w+\.js$/.test(path));
  const hash = createHash('sha256');
  for (const [path, { content }] of files) hash.update(`${path}\0`).update(content);
  const version = hash.digest('base64url').slice(0, 16);
  const router = Router({ caseSensitive: true });
  router.get(`${base}/:version/{*path}`, (request, response, next) => {
    response.locals.route = base;
    const file = files.get(request.path.slice(`${base}/${version}/`.length));
    if (request.params.version !== version || !file) return next('router');
    sendBuiltFile(request, response, file, { isHashed: true });
  });
  return { scriptPath: `${base}/${version}/${script}`, router };
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Kind } from '@connector-auth/connectors/kind';
import { Router, type Request, type Response } from 'express';
import { findBuild, readBuiltFiles, type BuiltFiles } from '../../shared/http/built-files.ts';
import { listForModels, markdownOf, searchIndex } from './site.ts';

/**
 * Serves the documentation under `/docs`. The first request for a page renders it from the contract, the
 * connector kinds and their recorded calls, so that the documentation costs the start of the service nothing.
 * @param publicUrl the service's public base URL, which the samples contain.
 */
export function mountDocs(kinds: readonly Kind[], publicUrl: string): Router {
  const router = Router();
  const renderer = once(() => import('./documentation.ts'));
  const pages = once(async () => (await renderer()).describeService(kinds, publicUrl));
  const folder = findBuild(themePageFolders, 'appearance.js');
  const themePage: BuiltFiles = folder === null ? new Map() : readBuiltFiles(folder);
  const files = new Map<string, Promise<File | null>>();

  async function fileAt(path: string): Promise<File | null> {
    const asset = assets.get(path);
    if (asset !== undefined) return file(readFileSync(new URL(asset, import.meta.url), 'utf8'), asset);
    const built = themePage.get(path.replace('/docs/assets/', ''));
    if (built !== undefined) return file(built.content.toString(), path);
    const all = await pages();
    if (path === '/docs/search-index.json') return file(JSON.stringify(searchIndex(all)), 'index.json');
    if (path === '/llms.txt') return file(listForModels(all, publicUrl), 'llms.txt');
    if (path === '/llms-full.txt')
      return file(all.map(page => markdownOf(page, publicUrl)).join('\n'), 'llms.txt');
    const page = all.find(page => page.path === path.replace(/\.md$/, ''));
    if (!page) return null;
    if (path.endsWith('.md')) return file(markdownOf(page, publicUrl), 'page.md');
    const text = (await renderer()).renderPage(page, all);
    return file(text, 'page.html', page.script === undefined ? policy : policyOfWidget);
  }

  router.get(
    ['/docs', '/docs.md', '/docs/{*path}', '/llms.txt', '/llms-full.txt'],
    async (request, response, next) => {
      const path = request.path.replace(/(?<=.)\/$/, '');
      const known = files.get(path) ?? fileAt(path);
      const found = await known;
      // Only files that exist are remembered, so the paths that callers try take no memory.
      if (found === null) {
        next();
        return;
      }
      files.set(path, known);
      response.locals['route'] = '/docs';
      send(request, response, found);
    },
  );
  return router;
}

const assets = new Map([
  ['/docs/assets/style.css', 'assets/style.css'],
  ['/docs/assets/docs.js', 'assets/docs.js'],
  ['/docs/assets/search.js', 'assets/search.js'],
  ['/docs/assets/icon.svg', 'assets/icon.svg'],
]);

/** In the published package, the build copies the files beside this one. In the workspace, the widget's own build. */
const themePageFolders = ['./files/', '../../../../widget/gallery/dist/'].map(path =>
  fileURLToPath(new URL(path, import.meta.url)),
);

interface File {
  readonly content: Buffer;
  readonly etag: string;
  readonly type: string;
  readonly policy: string;
}

/** Allows files of this origin only, without inline code, and requires Trusted Types. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Allows a widget, and its icons that the page contains. */
const policyOfWidget = policy
  .replace("img-src 'self'", "img-src 'self' data:")
  .replace("trusted-types 'none'", 'trusted-types lit-html');

function file(text: string, name: string, filePolicy = policy): File {
  const content = Buffer.from(text);
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return { content, etag, type: name.slice(name.lastIndexOf('.') + 1), policy: filePolicy };
}

function send(request: Request, response: Response, { content, etag, type, policy }: File): void {
  response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', ETag: etag }).type(type);
  if (request.fresh) response.status(304).end();
  else response.send(content);
}

/** Returns a function that computes a value when it is first called. */
function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | null = null;
  return () => (computed ??= { value: compute() }).value;
}

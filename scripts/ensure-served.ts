import { gallerySources, widgetSources } from './build-sources.ts';
import ensureConsole from './ensure-console.ts';
import { ensureFresh } from './ensure-fresh.ts';

/**
 * Builds what the service serves to browsers if its sources changed: the console, the widget of connect links, and the
 * theme page of the documentation. Also used as a global setup.
 */
export default async function ensureServed(): Promise<void> {
  await Promise.all([ensureConsole(), ensureWidget(), ensureGallery()]);
}

async function ensureGallery(): Promise<void> {
  await ensureFresh({
    name: 'theme page',
    output: 'widget/gallery/dist/appearance.js',
    sources: gallerySources,
    commands: [['vite', 'build', '--mode', 'widget-gallery', '--logLevel', 'warn']],
  });
}

/** Builds the widget's ES modules and its script-tag file if their sources changed. */
export async function ensureWidget(): Promise<void> {
  await ensureFresh({
    name: 'widget',
    output: 'widget/dist/connector-auth.js',
    sources: widgetSources,
    // The first one writes the languages, which the script loads.
    commands: [
      ['vite', 'build', '--mode', 'widget', '--logLevel', 'warn'],
      ['vite', 'build', '--mode', 'widget-script', '--logLevel', 'warn'],
    ],
  });
}

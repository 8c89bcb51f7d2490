import { version } from './version.ts';

/** Stands in for import-language.ts in the script-tag build: the files are beside the script, in `languages`. */
export const importable: readonly string[] = ['ar', 'de', 'es', 'fr', 'ja', 'pt', 'zh'];

// Only there while the script runs; null if somebody loads it as a module, where `./` is the script's own folder.
// It is an HTML script: the widget does nothing inside SVG.
const script = document.currentScript as HTMLScriptElement | null;
const folder = (script?.src || './').replace(/[^/]*([?#].*)?$/, '');

export async function importLanguage(tag: string): Promise<readonly unknown[]> {
  const file = (await import(/* @vite-ignore */ `${folder}languages/${tag}.js?${version}`)) as {
    messages: readonly unknown[];
  };
  return file.messages;
}

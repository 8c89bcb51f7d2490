import { version } from './version.ts';

/**
 * Replaces import-language.ts in the script-tag build, which loads files from the `languages` folder in
 * the script's directory.
 */
export const importable: readonly string[] = ['ar', 'de', 'es', 'fr', 'ja', 'pt', 'zh'];

// `currentScript` is set only while the script first runs. It is null if the script is loaded as a module,
// for which `./` is its own folder. It is never an SVG script, because the widget does not work inside SVG.
const script = document.currentScript as HTMLScriptElement | null;
/** The folder of the script. */
export const folder = (script?.src || './').replace(/[^/]*([?#].*)?$/, '');

export async function importLanguage(tag: string): Promise<readonly unknown[]> {
  const file = (await import(/* @vite-ignore */ `${folder}languages/${tag}.js?${version}`)) as {
    messages: readonly unknown[];
  };
  return file.messages;
}

import { generateJetBrainsWebTypes } from 'custom-element-jet-brains-integration';
import { generateVsCodeCustomElementData } from 'custom-element-vs-code-integration';

/**
 * Writes completion data for VS Code (`html.customData`, `css.customData`) and for JetBrains editors, which
 * find theirs through package.json. The generators read the package's name and version from the
 * working directory.
 */
export function writeEditorData(manifest: object, outdir: string): void {
  // The generators declare mutable types for the same schema and modify their input.
  const cem = structuredClone(manifest) as Parameters<typeof generateVsCodeCustomElementData>[0];
  const options = {
    outdir,
    // Editors suggest slots, events and styles in context, so the element's description need not list them.
    hideSlotDocs: true,
    hideEventDocs: true,
    hideMethodDocs: true,
    hideCssPropertiesDocs: true,
    hideCssPartsDocs: true,
    hideLogs: true,
  };
  generateVsCodeCustomElementData(cem, {
    ...options,
    htmlFileName: 'html-custom-data.json',
    cssFileName: 'css-custom-data.json',
  });
  generateJetBrainsWebTypes(cem, { ...options, webTypesFileName: 'web-types.json', packageJson: false });
}

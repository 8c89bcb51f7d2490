import { minifyHTMLLiterals } from 'minify-literals';
import type { Plugin } from 'vite';

/** Minifies the HTML in Lit's templates. */
export function minifyTemplates(): Plugin {
  return {
    name: 'minify-templates',
    enforce: 'post',
    apply: 'build',
    transform: (code, id) =>
      id.endsWith('.ts') && code.includes('html`') ? minifyHTMLLiterals(code, { fileName: id }) : null,
  };
}

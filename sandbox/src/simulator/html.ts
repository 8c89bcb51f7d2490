/** Escaped HTML, created only by the `html` tag. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Html | string | number | null | undefined | false | readonly Piece[];

/**
 * Template tag that escapes every value except nested `html` results; null, undefined and false render as an
 * empty string.
 */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(pieces[index - 1]) + part));
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(render).join('');
  return String(piece).replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** Renders a complete page in the sandbox's style, without external resources or scripts. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.text;
}

/**
 * Response headers for the sandbox's pages. They block scripts, external resources and framing, and omit the
 * referrer, which could leak the query.
 */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const STYLE = new Html(`
:root {
  --ground: #f5f6f4; --paper: #fff; --ink: #1c2422; --quiet: #586561; --line: #d9dedb;
  --accent: #0b6b57; --on-accent: #fff; --bad: #a4321f;
  accent-color: var(--accent); font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #121816; --paper: #1b2320; --ink: #e6ece9; --quiet: #9fb0aa; --line: #33403b;
    --accent: #5fd0b4; --on-accent: #06231c; --bad: #ff9d8a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 3rem; }
body:has(main.consent) { padding: 1rem; }
main { max-width: 60rem; margin: 0 auto; }
main.narrow { max-width: 30rem; background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; }
main.consent { max-width: 34rem; max-height: calc(100dvh - 2rem); display: flex; flex-direction: column; }
main.consent .badge { align-self: start; margin-block-end: .75rem; }
main.consent h1 { font-size: 1.3rem; }
main.consent form { min-height: 8rem; display: flex; flex-direction: column; }
main.consent fieldset { margin-block: .5rem; }
main.consent label { padding-block: .3rem; }
main.consent .actions { margin: 0 -1.5rem; padding: 1rem 1.5rem 0; border-block-start: 1px solid var(--line); }
.choices { overflow: auto; min-height: 0; padding-block-end: .5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .5rem 0; } .quiet { color: var(--quiet); } .bad { color: var(--bad); }
.badge { display: inline-block; border: 1px solid var(--line); border-radius: 99px; padding: 0 .6rem; font-size: .8rem; color: var(--quiet); margin-block-end: 1rem; }
section.card { background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; margin-block: 1rem; }
section.card h2 { margin-top: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .25rem 0 1rem; }
dt { color: var(--quiet); } dd { margin: 0; min-width: 0; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; user-select: all; }
fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; padding: .5rem 1rem; }
legend { padding: 0 .4rem; color: var(--quiet); }
label { display: flex; gap: .75rem; padding: .5rem 0; align-items: baseline; cursor: pointer; }
label small { display: block; color: var(--quiet); }
ul { padding-inline-start: 1.2rem; margin: .5rem 0; }
.actions { display: flex; gap: .75rem; flex-wrap: wrap; margin-block-start: 1.25rem; }
button { font: inherit; font-weight: 600; padding: .6rem 1.4rem; border-radius: 8px; border: 1px solid var(--accent); cursor: pointer; background: none; color: var(--accent); }
button.primary { background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: start; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
`);

/** The style sheet for the pages, in the widget's light and dark colours. Loads no external resources. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#eef0f6, #0d0f13); --surface: light-dark(#fff, #15171c); --raised: light-dark(#f5f6f9, #1e2128);
  --text: light-dark(#12151c, #eceef3); --muted: light-dark(#59616f, #a4acba); --line: light-dark(#e3e6ec, #2d313a);
  --accent: light-dark(#3150d3, #8fa3ff); --on-accent: light-dark(#fff, #0d1024);
  --good: light-dark(#11734a, #62d6a0); --bad: light-dark(#b4232a, #ff9a94); --warn: light-dark(#8a5200, #f2bb62);
  font: 100%/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
* { box-sizing: border-box; }
body {
  margin: 0; min-block-size: 100vh; min-block-size: 100dvh; display: grid; place-items: center;
  padding: clamp(1rem, 5vw, 2.5rem); background: var(--ground); color: var(--text);
}
main {
  inline-size: 100%; max-inline-size: 27rem; padding: clamp(1.5rem, 6vw, 2.5rem);
  background: var(--surface); border: 1px solid var(--line); border-radius: 20px; text-align: center;
  box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 18px 48px -16px rgb(20 30 70 / .18);
}
.icons { display: flex; justify-content: center; align-items: center; gap: .75rem; margin-block-end: 1.25rem; }
.vendor { inline-size: 56px; block-size: 56px; padding: 10px; border: 1px solid var(--line); border-radius: 16px; background: #fff; }
.vendor img { display: block; inline-size: 100%; block-size: 100%; object-fit: contain; }
.tone { inline-size: 56px; block-size: 56px; border-radius: 50%; display: grid; place-items: center; }
.tone svg { inline-size: 30px; block-size: 30px; fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round; }
.good { color: var(--good); background: color-mix(in srgb, var(--good) 14%, transparent); }
.bad { color: var(--bad); background: color-mix(in srgb, var(--bad) 13%, transparent); }
.warn { color: var(--warn); background: color-mix(in srgb, var(--warn) 15%, transparent); }
h1 { margin: 0 0 .5rem; font-size: clamp(1.3rem, 1.1rem + 1vw, 1.55rem); line-height: 1.25; letter-spacing: -.012em; text-wrap: balance; }
p { margin: .5rem 0 0; text-wrap: pretty; overflow-wrap: anywhere; }
.quiet { color: var(--muted); }
.note { margin-block-start: 1.25rem; padding: .8rem 1rem; border-radius: 12px; background: var(--raised); color: var(--muted); font-size: .925rem; text-align: start; }
.note + .quiet { margin-block-start: 1rem; }
form { margin-block-start: 1.5rem; }
button, .button {
  display: block; inline-size: 100%; min-block-size: 48px; padding: .7rem 1.25rem; border: 0; border-radius: 12px; cursor: pointer;
  font: inherit; font-weight: 600; background: var(--accent); color: var(--on-accent); text-decoration: none; text-align: center;
}
.button { margin-block-start: 1.25rem; background: none; border: 1px solid var(--line); color: var(--text); }
button:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
.button:hover { background: var(--raised); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
bdi { font-weight: 600; }
@media (forced-colors: active) { .tone, .vendor { border: 1px solid; } }
`;

/** What the consent window shows until the vendor's page loads. */
export interface WaitingPage {
  readonly text: string;
  readonly language: string;
  readonly direction: string;
  /** The resolved styles of the widget, whose colours and font the page adopts. */
  readonly style: CSSStyleDeclaration;
}

/**
 * Writes the page into an empty window of this origin. Creates elements and sets properties only, because the window
 * inherits the host page's policies.
 */
export function writeWaitingPage(popup: Window, { text, language, direction, style }: WaitingPage): void {
  const { document } = popup;
  const { documentElement: root, body } = document;
  const { backgroundColor, color, colorScheme, fontFamily } = style;
  document.title = text;
  root.lang = language;
  root.dir = direction;
  root.style.colorScheme = colorScheme;
  Object.assign(body.style, {
    display: 'grid',
    alignContent: 'center',
    justifyItems: 'center',
    gap: '24px',
    minBlockSize: '100vh',
    boxSizing: 'border-box',
    margin: '0',
    padding: '24px',
    background: backgroundColor,
    color,
    font: `16px/1.5 ${fontFamily}`,
    textAlign: 'center',
  });
  const spinner = document.createElement('span');
  Object.assign(spinner.style, {
    inlineSize: '28px',
    blockSize: '28px',
    boxSizing: 'border-box',
    border: '3px solid',
    borderBlockStartColor: 'transparent',
    borderRadius: '50%',
    opacity: '0.6',
  });
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  spinner.animate(isStill ? { opacity: [0.6, 0.2, 0.6] } : { rotate: ['0turn', '1turn'] }, {
    duration: isStill ? 1600 : 800,
    iterations: Infinity,
  });
  const words = document.createElement('p');
  words.style.margin = '0';
  words.role = 'status';
  words.textContent = text;
  body.replaceChildren(spinner, words);
}

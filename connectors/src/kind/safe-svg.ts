const maxIconLength = 20_000;

const elements = new Set(
  'svg g path circle ellipse rect line polyline polygon defs linearGradient radialGradient stop clipPath mask title desc'.split(
    ' ',
  ),
);

/** Attributes that can neither load nor run anything, whatever their value. */
const attributes = new Set(
  (
    'xmlns viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points transform id role aria-label aria-hidden ' +
    'fill fill-opacity fill-rule clip-path clip-rule mask opacity stroke stroke-width stroke-opacity stroke-linecap ' +
    'stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset offset stop-color stop-opacity gradientUnits ' +
    'gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits preserveAspectRatio version'
  ).split(' '),
);

/**
 * Returns what is wrong with an icon, or null if it is a square SVG document of shapes. Everything that could run a script or load
 * something is rejected, because only known elements and attributes are accepted.
 */
export function svgIssueOf(icon: string): string | null {
  if (icon.length > maxIconLength) return `Must have at most ${maxIconLength} characters`;
  if (!/^\s*<svg\s[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/.test(icon) || !/<\/svg>\s*$/.test(icon))
    return 'Must be an SVG document that begins with <svg xmlns="http://www.w3.org/2000/svg"';
  const root = /<svg\s[^>]*/.exec(icon)?.[0] ?? '';
  const box = /\sviewBox="\s*[-.\d]+[\s,]+[-.\d]+[\s,]+([.\d]+)[\s,]+([.\d]+)\s*"/.exec(root);
  if (box === null || Number(box[1]) !== Number(box[2]))
    return 'Must be square: set a viewBox such as "0 0 48 48"';
  const tags = icon.replaceAll(/<!--[^]*?-->/g, '');
  for (const [tag] of tags.matchAll(/<[^>]*>?/g)) {
    const parts = /^<\/?([A-Za-z]+)((?:\s+[\w:-]+="[^"<&]*")*)\s*\/?>$/.exec(tag);
    if (parts === null) return `Is not safe: remove ${tag.slice(0, 60)}`;
    const [, name = '', rest = ''] = parts;
    if (!elements.has(name)) return `Is not safe: remove the element <${name}>`;
    for (const [, attribute = '', value = ''] of rest.matchAll(/\s+([\w:-]+)="([^"]*)"/g)) {
      if (!attributes.has(attribute)) return `Is not safe: remove the attribute ${attribute}`;
      if (/url\s*\((?!\s*#)/i.test(value)) return `Is not safe: ${attribute} must not refer to a URL`;
    }
  }
  return null;
}

import * as Plot from '@observablehq/plot';
import type { ChartSpec, Point } from './chart-spec.ts';

const lineHeight = 34;

/** Draws a chart as SVG in the colours of the page. */
export function drawChart(spec: ChartSpec, width: number): Element {
  const drawn = spec.shape === 'bars' ? drawBars(spec, width) : drawDays(spec, width);
  // An image has one name. Plot also names its parts.
  for (const part of drawn.querySelectorAll('[aria-label], [aria-description]')) {
    part.removeAttribute('aria-label');
    part.removeAttribute('aria-description');
  }
  drawn.setAttribute('role', 'img');
  drawn.setAttribute('aria-label', spec.summary);
  return drawn;
}

const style = {
  background: 'none',
  color: 'inherit',
  fontFamily: 'inherit',
  fontSize: '12px',
  overflow: 'visible',
};
const tip = { fill: 'var(--card)', stroke: 'var(--line)', textPadding: 8, fontSize: 12 };

function drawDays({ shape, points, color, tick }: ChartSpec, width: number): Element {
  const x = ({ at }: Point) => new Date(at);
  const y = ({ value }: Point) => value;
  const title = ({ at, text }: Point) => `${dayOf(at)}\n${text}`;
  return Plot.plot({
    width,
    height: 190,
    marginLeft: 52,
    marginRight: 8,
    marginTop: 12,
    style,
    x: { type: 'utc', label: null, ticks: width < 380 ? 4 : 7, tickSize: 0 },
    y: { label: null, zero: true, nice: true, ticks: 4, tickFormat: tick, tickSize: 0 },
    marks: [
      Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 4 }),
      ...(shape === 'line'
        ? [
            Plot.areaY(points, { x, y, fill: color, fillOpacity: 0.12 }),
            Plot.lineY(points, { x, y, stroke: color, strokeWidth: 2 }),
            Plot.dot(points, Plot.pointerX({ x, y, fill: color, r: 4 })),
          ]
        : [Plot.rectY(points, { x, y, interval: 'day', inset: 1, rx: 2, fill: color })]),
      Plot.tip(points, Plot.pointerX({ x, y, title, ...tip })),
    ],
  });
}

function drawBars({ points, color }: ChartSpec, width: number): Element {
  // Campaigns may have the same name, so the rows are identified by their position.
  const rows = points.map((point, index) => ({ ...point, row: index }));
  const y = 'row';
  return Plot.plot({
    width,
    height: rows.length * lineHeight + 8,
    marginLeft: 0,
    marginRight: 8,
    marginTop: 4,
    marginBottom: 4,
    style,
    x: { axis: null, domain: [0, Math.max(1e-9, ...rows.map(({ value }) => value))] },
    y: { axis: null, type: 'band', padding: 0 },
    marks: [
      Plot.barX(rows, { x: 'value', y, fill: color, insetTop: 22, insetBottom: 4, rx: 2 }),
      Plot.text(rows, {
        frameAnchor: 'left',
        y,
        text: 'at',
        dy: -6,
        fill: 'currentColor',
        lineWidth: Math.max(4, (width - 190) / 12),
        textOverflow: 'ellipsis',
      }),
      Plot.text(rows, { frameAnchor: 'right', y, text: 'text', dy: -6, fill: 'var(--quiet)' }),
    ],
  });
}

function dayOf(date: string): string {
  return new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(date));
}

// SPDX-License-Identifier: Apache-2.0
// uPlot with this page's colours, one redraw a frame, an objective as a dashed line, and a line of values at the cursor.
import { html, atFrame, useEffect, useLayoutEffect, useRef, useStore } from './dom.js';
import uPlot from '../lib/uplot.js';
import { color, faded, theme } from './theme.js';
import { DASH } from './format.js';
import { Term } from './ui.js';

const FONT = '11px system-ui, sans-serif';
const AXIS_WIDTH = 56;
/** An objective further above everything would flatten the curves: it is named at the edge and not drawn. */
const NEAR = 3;

const finite = value => value !== null && value !== undefined && Number.isFinite(value);

/** Of a logarithmic axis only 1, 2 and 5 of each decade are named. */
const oneTwoFive = (_, splits) => splits.map(value => [1, 2, 5].includes(Number((value / 10 ** Math.floor(Math.log10(value) + 1e-9)).toPrecision(3))) ? value : null);

function axes({ format, tick = format, xFormat, xTicks = true, logarithmic }) {
  const common = { ...(logarithmic ? { filter: oneTwoFive } : {}), font: FONT, stroke: () => color('--soft'), ticks: { show: false } };
  return [
    { ...common, size: xTicks ? 20 : 4, gap: 3, grid: { stroke: () => color('--line'), width: 1 }, space: 70,
      values: !xTicks ? (_, splits) => splits.map(() => '') : xFormat && ((_, splits) => splits.map(value => value === null ? '' : xFormat(value))) },
    { ...common, size: AXIS_WIDTH, grid: { stroke: () => color('--line'), width: 1 }, space: 26,
      values: (_, splits) => splits.map(value => value === null ? '' : tick(value)) },
  ];
}

function range(limit, least, cap) {
  return (_, low, high) => {
    let top = finite(high) ? high : 0;
    if (finite(limit) && limit <= NEAR * top) top = Math.max(top, limit);
    return [0, Math.max(Math.min(top, cap || top) * 1.08, least)];
  };
}

function drawLimit(plot, limit, label) {
  if (!finite(limit)) return;
  const { ctx: pen, bbox } = plot;
  const y = plot.valToPos(limit, 'y', true);
  pen.save();
  pen.strokeStyle = color('--slo');
  pen.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  pen.textAlign = 'left';
  const ratio = devicePixelRatio;
  const text = y >= bbox.top ? label : `${label} ↑`;
  const at = y >= bbox.top ? y + (y - bbox.top < 18 * ratio ? 14 : -6) * ratio : bbox.top + 12 * ratio;
  if (y >= bbox.top) {
    pen.lineWidth = 1.25 * devicePixelRatio;
    pen.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    pen.beginPath();
    pen.moveTo(bbox.left, y);
    pen.lineTo(bbox.left + bbox.width, y);
    pen.stroke();
  }
  // On a patch of the ground, so that it is legible where curves run.
  pen.setLineDash([]);
  pen.fillStyle = faded('--panel', 0.8);
  pen.fillRect(bbox.left + 3 * ratio, at - 10 * ratio, pen.measureText(text).width + 6 * ratio, 12 * ratio);
  pen.fillStyle = color('--slo');
  pen.fillText(text, bbox.left + 6 * ratio, at);
  pen.restore();
}

function lineOf(one) {
  return {
    label: one.label, stroke: one.hidden ? 'transparent' : () => color(one.color), width: one.width || 1.5, dash: one.dash,
    fill: one.fill ? () => faded(one.color, one.fill) : undefined,
    paths: one.stairs ? uPlot.paths.stepped({ align: 1 }) : one.dots ? () => null : undefined,
    points: one.dots ? { show: true, size: one.dots, fill: () => faded(one.color, 0.7), stroke: 'transparent' } : { show: false },
    spanGaps: false,
  };
}

function options(props, size, onCursor) {
  const { series, bands, time = true, slo, sync, xRange, draws = [], scales = {}, least = 1e-9, cap } = props;
  return {
    ...size, pxAlign: 0, legend: { show: false }, padding: [6, 28, 0, 0],
    scales: { x: { time, range: xRange ? () => xRange() : undefined }, y: { range: range(slo && slo.value, least, cap) }, ...scales },
    axes: axes(props),
    series: [{}, ...series.map(lineOf)],
    bands: (bands || []).map(([high, low, name]) => ({ series: [high, low], fill: faded(name, 0.18) })),
    cursor: { sync: sync ? { key: sync } : undefined, points: { size: 6 }, drag: { x: false, y: false }, y: false },
    hooks: {
      draw: [...draws, plot => slo && drawLimit(plot, slo.value, slo.label)],
      setCursor: [plot => onCursor(plot.cursor.idx === undefined ? null : plot.cursor.idx)],
    },
  };
}

/*
 * props: title, term, data (columns, first x), series [{label, color, dash, fill, stairs, dots, hidden, shown: false}], bands,
 * format(value), slo {value, label}, height, sync, xRange() -> [from, to], draws [hook], onPlot(plot).
 */
export function Chart(props) {
  const { title, term, data, series, format, height = 120, onPlot } = props;
  const host = useRef(null), plot = useRef(null), readout = useRef(null), latest = useRef(props);
  const version = useStore(theme, state => state.version);
  latest.current = props;

  const say = index => {
    const { data: columns, series: lines, format: write, at } = latest.current;
    const shown = index === null || index === undefined ? resting(columns[0], latest.current.restAt) : index;
    if (!readout.current) return;
    readout.current.replaceChildren(...lines.filter(line => line.shown !== false).map((line, i) => {
      const node = document.createElement('span');
      const value = columns[lines.indexOf(line) + 1][shown];
      node.style.setProperty('--key', `var(${line.color})`);
      node.className = `key${line.dash ? ' dashed' : ''}${line.dots ? ' dot' : ''}${line.width === 1 ? ' thin' : ''}`;
      node.textContent = line.dots && index === null ? line.label : `${line.label} ${finite(value) ? write(value) : DASH}`;
      return node;
    }));
    if (index !== null && index !== undefined && at) {
      const node = document.createElement('span');
      node.className = 'at';
      node.textContent = at(columns[0][index]);
      readout.current.prepend(node);
    }
  };

  useLayoutEffect(() => {
    const size = () => ({ width: Math.max(120, host.current.clientWidth), height });
    const made = new uPlot(options(latest.current, size(), say), latest.current.data, host.current);
    plot.current = made;
    if (onPlot) onPlot(made);
    let width = host.current.clientWidth;
    const watch = new ResizeObserver(() => {
      if (!host.current || host.current.clientWidth === width) return;
      width = host.current.clientWidth;
      atFrame(() => { if (plot.current === made) { made.setSize(size()); if (latest.current.onPlot) latest.current.onPlot(made); } });
    });
    watch.observe(host.current);
    say(null);
    return () => { watch.disconnect(); made.destroy(); plot.current = null; };
  }, [version, height, series.map(one => one.label).join(), props.slo && props.slo.value, props.shape]);

  const draw = useRef(() => {
    if (!plot.current) return;
    plot.current.setData(latest.current.data);
    if (latest.current.onPlot) latest.current.onPlot(plot.current);
    say(plot.current.cursor.idx === undefined ? null : plot.current.cursor.idx);
  });
  useEffect(() => { atFrame(draw.current); }, [data]);

  const blank = data.slice(1).every(column => column.every(value => !finite(value)));
  return html`<figure class="chart">
    <figcaption><${Term} of=${term || title}>${title}<//><span class="readout" ref=${readout}></span></figcaption>
    ${blank && html`<p class="blank">Not known in this time.</p>`}
    <div class="plot" ref=${host} role="img" aria-label=${`${title}: ${summary(data, series, format)}`}></div>
  </figure>`;
}

/** Which values are shown while nobody points at one: those at a certain place, or the last. */
function resting(xs, at) {
  if (!finite(at)) return xs.length - 1;
  return xs.reduce((best, x, i) => Math.abs(x - at) < Math.abs(xs[best] - at) ? i : best, 0);
}

function summary(data, series, format) {
  const last = data[0].length - 1;
  return series.filter(line => line.shown !== false)
    .map(line => `${line.label} ${finite(data[series.indexOf(line) + 1][last]) ? format(data[series.indexOf(line) + 1][last]) : 'not known'}`).join(', ');
}

/** Captions and canvases of the charts within an element, for an export. */
export const chartBlocks = element => [...element.querySelectorAll('.chart')].map(figure => ({
  caption: figure.querySelector('figcaption').textContent.trim().replace(/\s+/g, ' '), canvas: figure.querySelector('canvas'),
}));

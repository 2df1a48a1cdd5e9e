// SPDX-License-Identifier: Apache-2.0
// Sparklines of the last ten minutes: begun from the history, continued by each plan. Many of them cost one redraw a frame.
import { html, atFrame, useEffect, useRef } from './dom.js';
import { get, poolPath } from './api.js';
import { live } from './live.js';
import { color, theme } from './theme.js';

const SECONDS = 600;
const WIDTH = 110;
const HEIGHT = 20;
const AT_ONCE = 3;

const curves = new Map();
const queue = [];
let asking = 0;
let counted = 0;

function curve(id) {
  if (!curves.has(id)) {
    curves.set(id, { points: [], users: new Set() });
    queue.push(id);
    pump();
  }
  return curves.get(id);
}

async function pump() {
  if (asking >= AT_ONCE || queue.length === 0) return;
  asking++;
  const id = queue.shift();
  try {
    const past = await get(poolPath(id, `/history?seconds=${SECONDS}&series=requestsPerSecond`));
    const known = curves.get(id);
    const first = known.points.length ? known.points[0][0] : Infinity;
    // The server's clock need not be the browser's.
    const ahead = Date.now() / 1000 - Date.parse(past.now) / 1000;
    const before = past.times.map((time, i) => [time + ahead, past.series.requestsPerSecond[i]]).filter(point => point[0] < first);
    known.points = [...before, ...known.points];
    redraw(known);
  } catch { /* It begins now, then. */ }
  asking--;
  pump();
}

function redraw(known) {
  for (const draw of known.users) atFrame(draw);
}

live.watch(() => {
  const { pools, plans, phase } = live.get();
  if (!pools || plans === counted || phase !== 'live') return;
  counted = plans;
  const now = Date.now() / 1000;
  for (const pool of pools) {
    const known = curves.get(pool.id);
    if (!known) continue;
    known.points.push([now, pool.load ? pool.load.requestsPerSecond : null]);
    while (known.points.length && known.points[0][0] < now - SECONDS) known.points.shift();
    redraw(known);
  }
});

theme.watch(() => curves.forEach(redraw));

function draw(canvas, points) {
  const ratio = devicePixelRatio || 1;
  if (canvas.width !== WIDTH * ratio) {
    canvas.width = WIDTH * ratio;
    canvas.height = HEIGHT * ratio;
  }
  const pen = canvas.getContext('2d');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, WIDTH, HEIGHT);
  let top = 0;
  for (const [, value] of points) if (value > top) top = value;
  const now = Date.now() / 1000;
  pen.strokeStyle = color('--line');
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(0, HEIGHT - 0.5);
  pen.lineTo(WIDTH, HEIGHT - 0.5);
  pen.stroke();
  if (top <= 0) return;
  pen.strokeStyle = color('--predicted');
  pen.lineWidth = 1.25;
  pen.beginPath();
  let down = false;
  for (const [time, value] of points) {
    if (value === null || value === undefined) { down = false; continue; }
    const x = WIDTH * (1 - (now - time) / SECONDS), y = HEIGHT - 1.5 - (HEIGHT - 4) * value / top;
    if (down) pen.lineTo(x, y); else pen.moveTo(x, y);
    down = true;
  }
  pen.stroke();
}

export function Spark({ id }) {
  const canvas = useRef(null);
  useEffect(() => {
    const known = curve(id);
    const task = () => { if (canvas.current) draw(canvas.current, known.points); };
    known.users.add(task);
    atFrame(task);
    return () => known.users.delete(task);
  }, [id]);
  return html`<canvas class="spark" width=${WIDTH} height=${HEIGHT} ref=${canvas} role="img" aria-label="Arrivals, last 10 minutes"></canvas>`;
}

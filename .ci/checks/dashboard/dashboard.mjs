// SPDX-License-Identifier: Apache-2.0
// Usage: dashboard.mjs PLANNER CHROMIUM DIRECTORY PORT PORT. Prints what it finds; exit status 1 if something is wrong.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { Planner, until } from './planner.mjs';
import { EMPTY, Fleet, POOLS, STALE, WORKERS, planner as manyPools } from './fleet.mjs';

const [command, browserPath, pictures, demoPort, manyPort] = process.argv.slice(2);
const DESKTOP = { width: 1360, height: 850 }, PHONE = { width: 390, height: 844 };
const VIEWS = [
  ['overview', '#/overview', 'tbody tr'], ['pool', '#/pool/agg', '.chart canvas'], ['model', '#/model/agg', '.chart canvas'],
  ['what-if', '#/what-if/agg', '.answers .chart canvas'], ['inputs', '#/inputs', 'tbody tr'], ['inputs-pool', '#/inputs/agg', 'tbody tr'],
];
/** Loaded before the first row shows, and all of it: compressed bytes. */
const MOST_BYTES = 130_000;
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const failures = [];
const bad = text => { failures.push(text); console.log(`bad: ${text}`); };
const since = Date.now();
const say = text => console.log(`${((Date.now() - since) / 1000).toFixed(1).padStart(5)} s  ${text}`);

async function openPage(browser, options) {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.expectsOutage = false;
  page.on('pageerror', error => bad(`script error: ${error.stack}`));
  page.on('console', message => {
    const outage = page.expectsOutage && /ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE|Failed to load resource/.test(message.text());
    // The browser reports every refusal. What-if questions may be refused: not learned yet, or too far beyond what was seen.
    const asked = (page.expects404 && /404/.test(message.text())) || (/\/what-if$/.test(message.location().url) && /409|422/.test(message.text()));
    if (['error', 'warning'].includes(message.type()) && !outage && !asked) bad(`console ${message.type()}: ${message.text()}`);
  });
  page.on('request', request => { if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) bad(`another host was asked: ${request.url()}`); });
  return page;
}

async function accessible(page, name) {
  // Evaluated by the debugger, which the page's own policy does not bind.
  await page.evaluate(AXE);
  const result = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  for (const violation of result.violations) {
    bad(`${name}: ${violation.id} (${violation.impact}): ${violation.help}: ${violation.nodes.slice(0, 3).map(node => node.html.slice(0, 120)).join(' | ')}`);
  }
  return result.passes.length;
}

async function show(page, base, [name, hash, ready], suffix) {
  await page.goto(`${base}/${hash}`);
  await page.waitForSelector(ready, { timeout: 20000 });
  await page.waitForSelector('.connection.good', { timeout: 20000 });
  await sleep(400);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 1) bad(`${name} ${suffix}: the page is ${wide} pixels wider than the screen`);
  await page.screenshot({ path: join(pictures, `${name}-${suffix}.png`), fullPage: true });
  await accessible(page, `${name} ${suffix}`);
}

async function everyView(browser, base) {
  for (const [suffix, options] of [['desktop', { viewport: DESKTOP, colorScheme: 'light' }], ['dark', { viewport: DESKTOP, colorScheme: 'dark' }],
    ['phone', { viewport: PHONE, colorScheme: 'light', isMobile: true, hasTouch: true }]]) {
    const page = await openPage(browser, options);
    for (const view of VIEWS) await show(page, base, view, suffix);
    await page.context().close();
    say(`${VIEWS.length} views, ${suffix}: accessible, no errors`);
  }
}

async function firstPaint(browser, base) {
  const page = await openPage(browser, { viewport: DESKTOP });
  let encoded = 0;
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  const assets = new Set();
  client.on('Network.responseReceived', event => { if (/\/assets\/|\/$/.test(new URL(event.response.url).pathname)) assets.add(event.requestId); });
  client.on('Network.loadingFinished', event => { if (assets.has(event.requestId)) encoded += event.encodedDataLength; });
  const began = Date.now();
  await page.goto(`${base}/`);
  await page.waitForSelector('tbody tr');
  const rows = Date.now() - began, first = encoded;
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  for (const [, hash, ready] of VIEWS) { await page.goto(`${base}/${hash}`); await page.waitForSelector(ready); }
  say(`first paint on loopback after ${paint.toFixed(0)} ms, first rows after ${rows} ms; ${(first / 1024).toFixed(1)} KiB for the overview, ${(encoded / 1024).toFixed(1)} KiB for all views, compressed`);
  if (encoded > MOST_BYTES) bad(`all views load ${encoded} bytes`);
  await page.context().close();
}

/** The same figures as the REST interface gives, by what a reader sees. */
async function plausible(page, planner) {
  await page.goto(`${planner.base}/#/overview`);
  await page.waitForSelector('tbody tr');
  await until('the table to show what REST says', 20, async () => {
    const { pools } = await planner.get('/v1/pools');
    const rows = await page.$$eval('tbody tr', found => found.map(row => [...row.children].map(cell => cell.textContent)));
    return pools.every(pool => rows.some(cells => cells[0] === pool.id && cells.includes(`${pool.currentReplicas} → ${pool.desiredReplicas}`)
      && cells.some(cell => cell.startsWith(pool.predicted.ttft.p90Seconds.toFixed(2)))));
  });
  say('the overview agrees with /v1/pools');
}

async function usable(page, base) {
  await page.goto(`${base}/#/overview`);
  await page.waitForSelector('tbody tr');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.decisions', { timeout: 10000 });
  if (!page.url().includes('#/pool/')) bad(`the keyboard led to ${page.url()}`);
  await page.focus('.figure .term');
  const tip = await page.waitForSelector('#tip:not([hidden])');
  if ((await tip.textContent()).length < 20) bad('a focused term is not explained');
  await page.keyboard.press('Escape');
  for (const kind of ['CSV', 'PNG']) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`section[aria-label="Timelines"] button:text("${kind}")`)]);
    const size = readFileSync(await download.path()).length;
    if (size < 500) bad(`the ${kind} export has ${size} bytes`);
  }
  await page.goto(`${base}/#/what-if/agg?rate=5`);
  await page.waitForSelector('.answers .chart canvas', { timeout: 20000 });
  await page.focus('#slider-replicas');
  await page.keyboard.press('End');
  await until('the address to hold the question', 5, () => page.url().includes('replicas='));
  page.expects404 = true;
  await page.goto(`${base}/#/pool/absent`);
  await page.waitForSelector('text=There is no pool “absent”');
  await sleep(300);
  page.expects404 = false;
  say('keyboard, tooltip, exports, addresses, unknown pool');
}

async function restart(page, planner, again) {
  await page.goto(`${planner.base}/#/pool/agg`);
  await page.waitForSelector('.chart canvas');
  page.expectsOutage = true;
  await planner.stop();
  await page.waitForSelector('text=No answer from the planner', { timeout: 15000 });
  await page.screenshot({ path: join(pictures, 'gone.png') });
  const next = await again().ready();
  await page.waitForSelector('.connection.good', { timeout: 20000 });
  await until('the timelines to begin anew', 15, () => page.$('.chart canvas'));
  page.expectsOutage = false;
  const plan = await page.textContent('.figures');
  await until('figures to move again', 15, async () => (await page.textContent('.figures')) !== plan);
  say('a restart was survived');
  return next;
}

/** Times between frames for some seconds, and what the browser's main thread did in them. */
async function frames(page, seconds) {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const metrics = async () => Object.fromEntries((await client.send('Performance.getMetrics')).metrics.map(metric => [metric.name, metric.value]));
  const before = await metrics();
  const times = await page.evaluate(length => new Promise(resolve => {
    const found = [], begin = performance.now();
    let last = begin;
    const look = now => { found.push(now - last); last = now; if (now - begin < length * 1000) requestAnimationFrame(look); else resolve(found.slice(1)); };
    requestAnimationFrame(look);
  }), seconds);
  const after = await metrics();
  times.sort((a, b) => a - b);
  const at = share => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: times[times.length - 1], busy: (after.TaskDuration - before.TaskDuration) / seconds, script: (after.ScriptDuration - before.ScriptDuration) / seconds };
}

async function many(browser) {
  const planner = await manyPools(command, manyPort).ready();
  const fleet = new Fleet(planner.base);
  try {
    const page = await openPage(browser, { viewport: DESKTOP });
    await page.goto(`${planner.base}/#/overview`);
    await until(`${POOLS} rows`, 20, async () => (await page.$$('tbody tr')).length === POOLS);
    await until('live workers', 30, async () => (await planner.get('/v1/inputs')).pools.filter(pool => pool.ranks.LIVE === WORKERS).length >= POOLS - 2);
    for (const [name, hash, ready] of [['overview', '#/overview', 'tbody tr'], ['pool', '#/pool/p00', '.chart canvas'], ['inputs', '#/inputs', 'tbody tr'], ['inputs-pool', '#/inputs/p00', 'tbody tr']]) {
      await page.goto(`${planner.base}/${hash}`);
      await page.waitForSelector(ready, { timeout: 20000 });
      const found = await frames(page, 3);
      say(`${POOLS} x ${WORKERS}, ${name}: frames p50 ${found.p50.toFixed(1)}, p95 ${found.p95.toFixed(1)}, p99 ${found.p99.toFixed(1)}, longest ${found.most.toFixed(1)} ms; main thread ${(100 * found.busy).toFixed(0)} %, scripts ${(100 * found.script).toFixed(0)} %`);
      if (found.p95 > 50) bad(`${name} is not smooth: one frame in twenty takes over ${found.p95.toFixed(0)} ms`);
      await page.screenshot({ path: join(pictures, `many-${name}.png`) });
    }
    await page.goto(`${planner.base}/#/pool/${STALE}`);
    await page.waitForSelector('text=Stale: the newest frame', { timeout: 15000 });
    await page.screenshot({ path: join(pictures, 'stale.png') });
    await page.goto(`${planner.base}/#/pool/${EMPTY}`);
    await page.waitForSelector('text=No frame has arrived yet', { timeout: 15000 });
    await page.screenshot({ path: join(pictures, 'empty.png') });
    await page.context().close();
    say('a stale and an empty pool say so');
  } finally {
    await fleet.stop();
    await planner.stop();
  }
}

const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
const demo = () => new Planner(command, demoPort, 'demo', '--port', demoPort, '--seconds', '600');
let planner = demo();
try {
  await planner.ready();
  await until('predictions of every pool', 60, async () => (await planner.get('/v1/pools')).pools.every(pool => pool.predicted));
  await firstPaint(browser, planner.base);
  await everyView(browser, planner.base);
  const page = await openPage(browser, { viewport: DESKTOP });
  await plausible(page, planner);
  await usable(page, planner.base);
  planner = await restart(page, planner, demo);
  await page.context().close();
  await planner.stop();
  await many(browser);
} catch (problem) {
  bad(problem.stack);
} finally {
  await planner.stop();
  await browser.close();
}
say(failures.length === 0 ? `fine; pictures in ${pictures}` : `${failures.length} things are wrong`);
process.exit(failures.length === 0 ? 0 : 1);

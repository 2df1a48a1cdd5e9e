// SPDX-License-Identifier: Apache-2.0
// What was learned of the pool's step times, and how far it can be trusted.
import { html, useEvery, useMemo, useRef, useState, useStore } from '../app/dom.js';
import { live } from '../app/live.js';
import { get, poolPath } from '../app/api.js';
import { clock, digits, fixed, known, percent, plainSeconds, seconds, shortClock, whole, words } from '../app/format.js';
import { Evidence, Figure, Meter, Nothing, Panel, Term } from '../app/ui.js';
import { Chart, chartBlocks } from '../app/chart.js';
import { Table, tableCsv, tablePng } from '../app/table.js';
import { useHistory, withGaps } from '../app/history.js';
import { color } from '../app/theme.js';
import { Head, Unknown } from './pool.js';

const MILLIS = 3000;
const REGIMES = ['PREFILL', 'DECODE', 'MIXED'];
const COLORS = { PREFILL: '--prefill', DECODE: '--decode', MIXED: '--mixed' };
const SPAN = 3600;

/** The documents of this view, asked for every few seconds. */
function useDocuments(poolId) {
  const [state, setState] = useState({ model: null, steps: null, workers: null, calibration: null, refusal: null });
  useEvery(MILLIS, async isOver => {
    if (!poolId) return;
    try {
      const [model, steps, workers, calibration] = await Promise.all(['/model', '/steps', '/workers', '/calibration'].map(rest => get(poolPath(poolId, rest))));
      if (!isOver()) setState({ model, steps, workers, calibration, refusal: null });
    } catch (refusal) {
      if (!isOver()) setState(before => ({ ...before, refusal }));
    }
  }, [poolId]);
  return state;
}

export function ModelView({ poolId }) {
  const pool = useStore(live, state => state.pool && state.pool.id === poolId ? state.pool : null);
  const phase = useStore(live, state => state.phase);
  const { model, steps, workers, calibration, refusal } = useDocuments(poolId);
  const { past } = useHistory(poolId, SPAN);
  if (!poolId || phase === 'absent') return html`<${Unknown} poolId=${poolId} view="model" />`;
  if (!model || !pool) return html`<h1>${poolId}</h1><${Nothing} title=${refusal ? 'The model cannot be read now.' : 'Loading…'}>${refusal && refusal.message}<//>`;
  return html`<${Head} pool=${pool} />
    <${Facts} model=${model} pool=${pool} />
    <div class="grid">
      <${Readiness} model=${model} />
      <${Calibration} poolId=${poolId} calibration=${calibration} />
      <${Scatter} poolId=${poolId} steps=${steps} />
      <${Errors} poolId=${poolId} past=${past} />
      <${Coefficients} poolId=${poolId} model=${model} />
      <${Workers} poolId=${poolId} workers=${workers} />
    </div>`;
}

function Facts({ model, pool }) {
  return html`<dl class="figures">
    <${Figure} name="steps learned" value=${whole(model.framesLearned)} />
    <${Figure} name="quarantined" value=${whole(model.framesQuarantined)} />
    <${Figure} name="refused" value=${whole(model.framesRefused)} over=${model.framesRefused > 0} />
    <${Figure} name="drift resets" value=${whole(model.driftResets)} />
    <${Figure} name="timing scope" value=${model.timingScope || 'not said'} note=${model.timingScopes > 1 ? `one of ${model.timingScopes}` : ''} over=${model.timingScopes > 1} />
    <${Figure} name="prior" value=${model.prior ? model.prior.name : 'none'} note=${model.prior ? REGIMES.map(regime => `${words(regime)} ${percent(model.prior.remainingWeight[regime])}`).join(', ') : ''} />
    <${Figure} name="largest batch seen" term="EXTRAPOLATING" value=${whole(model.largestSeen.decodeRequests)} note=${`${whole(model.largestSeen.prefillTokens)} prompt tokens in a step`} />
    <${Figure} name="slow workers" term="speed factor" value=${whole(model.slowWorkers.length)} over=${model.slowWorkers.length > 0} />
    ${pool.evidence === 'STALE' && html`<${Figure} name="data age" term="age" value=${seconds(pool.dataAgeSeconds)} over />`}
  </dl>`;
}

const coverageMark = (row, level) => row.frames >= 100 && known(row[`coverage${level}`]) && Math.abs(row[`coverage${level}`] - level / 100) > 0.07 ? 'over' : '';
const READINESS = [
  { key: 'regime', label: 'Regime', term: 'regime', left: true, text: row => words(row.regime),
    cell: row => html`<span class="swatch" style=${{ background: `var(${COLORS[row.regime]})` }}></span>${words(row.regime)}` },
  { key: 'evidence', label: 'Evidence', term: 'evidence', left: true, text: row => words(row.evidence), cell: row => html`<${Evidence} of=${row.evidence} />` },
  { key: 'frames', label: 'Steps', term: 'readiness', left: true, text: row => row.frames >= row.framesNeeded ? whole(row.frames) : `${row.frames} of ${row.framesNeeded}`, value: row => row.frames,
    cell: (row, text) => row.frames >= row.framesNeeded ? text : html`<${Meter} value=${row.frames} most=${row.framesNeeded} label=${`${words(row.regime)} steps learned`} />` },
  { key: 'mape', label: 'Error', term: 'step error', text: row => percent(row.mape, 1), value: row => row.mape, mark: row => row.mape > 0.25 ? 'over' : '' },
  { key: 'bias', label: 'Bias', term: 'bias', text: row => percent(row.bias, 1), value: row => row.bias },
  ...[50, 90, 99].map(level => ({ key: `c${level}`, label: `In ${level}\u202f%`, term: 'coverage', phone: level === 90,
    text: row => percent(row[`coverage${level}`], level === 99 ? 1 : 0), value: row => row[`coverage${level}`], mark: row => coverageMark(row, level) })),
];

function Readiness({ model }) {
  const missing = model.regimes.filter(regime => regime.frames < regime.framesNeeded);
  return html`<${Panel} title="Readiness" term="readiness" name=${`${model.pool}-readiness`} csv=${() => tableCsv(READINESS, model.regimes)} png=${() => tablePng(READINESS, model.regimes)}>
    <${Table} columns=${READINESS} rows=${model.regimes} rowKey=${row => row.regime} label="Readiness of each regime" />
    <p class="hint">${missing.length === 0 ? 'Every regime is learned.'
      : `Missing: ${missing.map(regime => `${regime.framesNeeded - regime.frames} more ${words(regime.regime)} steps`).join(', ')}. A regime that the engines never run stays cold, and does no harm.`}</p><//>`;
}

const SCORES = [['itlFromFrames', 'ITL, from frames'], ['queueWaitFromFrames', 'queue wait, from frames'], ['ttftObserved', 'TTFT, as posted'], ['itlObserved', 'ITL, as posted']];
const CALIBRATION = [
  { key: 'name', label: 'Prediction of', term: 'calibration', left: true, sorts: false, text: row => row.name },
  { key: 'count', label: 'Scored', text: row => row.score ? whole(row.score.count) : '–', value: row => row.score && row.score.count },
  { key: 'error', label: 'Error', term: 'latency error', text: row => row.score ? percent(row.score.error, 1) : '–', value: row => row.score && row.score.error },
  { key: 'bias', label: 'Bias', term: 'bias', text: row => row.score ? percent(row.score.bias, 1) : '–', value: row => row.score && row.score.bias },
  ...[50, 90, 99].map(level => ({ key: `w${level}`, label: `≤ p${level}`, term: 'within', phone: level === 90,
    text: row => row.score && known(row.score[`within${level}`]) ? percent(row.score[`within${level}`], 1) : '–', value: row => row.score && row.score[`within${level}`] })),
];

function Calibration({ poolId, calibration }) {
  const rows = SCORES.map(([key, name]) => ({ name, score: calibration && calibration[key] }));
  const none = rows.every(row => !row.score);
  return html`<${Panel} title="Latency as it turned out" term="calibration" name=${`${poolId}-calibration`} csv=${() => tableCsv(CALIBRATION, rows)} png=${() => tablePng(CALIBRATION, rows)}>
    ${none ? html`<${Nothing} title="Nothing was scored yet.">ITL and queue waits are scored from frames once something was predicted; measured latency can be posted to /v1/pools/${poolId}/observations.<//>`
      : html`<${Table} columns=${CALIBRATION} rows=${rows} rowKey=${row => row.name} label="How predictions of latency turned out" />`}<//>`;
}

/** Steps as predicted and measured, on two logarithmic axes; on the diagonal they agree. */
function Scatter({ poolId, steps }) {
  const panel = useRef(null);
  const built = useMemo(() => steps ? scatterData(steps) : null, [steps]);
  const toCsv = () => [['time', 'regime', 'predicted (s)', 'low (s)', 'high (s)', 'measured (s)'], ...steps.regimes.flatMap(regime => regime.times.map((time, i) =>
    [new Date(time * 1000).toISOString(), regime.regime, regime.predictedSeconds[i], regime.lowSeconds[i], regime.highSeconds[i], regime.measuredSeconds[i]]))];
  if (!built) return html`<${Panel} title="Predicted against measured"><${Nothing} title=${steps ? 'No step was sampled yet.' : 'Loading…'}>A few of each plan are, once there is something to predict with.<//><//>`;
  const { data, low, high, inside, count } = built;
  const bounds = [nice(low, false), nice(high, true)];
  const diagonal = plot => {
    const pen = plot.ctx;
    pen.save();
    pen.strokeStyle = color('--soft');
    pen.setLineDash([4, 4]);
    pen.lineWidth = devicePixelRatio;
    pen.beginPath();
    pen.moveTo(plot.valToPos(bounds[0], 'x', true), plot.valToPos(bounds[0], 'y', true));
    pen.lineTo(plot.valToPos(bounds[1], 'x', true), plot.valToPos(bounds[1], 'y', true));
    pen.stroke();
    pen.restore();
  };
  return html`<div class="cell" ref=${panel}><${Panel} title="Predicted against measured" term="scatter" name=${`${poolId}-steps`} csv=${toCsv} png=${() => chartBlocks(panel.current)}>
    <${Chart} title="Measured (up) against predicted (right)" term="scatter" data=${data} format=${seconds} tick=${plainSeconds} xFormat=${plainSeconds} logarithmic time=${false} height=${300}
      scales=${{ x: { time: false, distr: 3, range: () => bounds }, y: { distr: 3, range: () => bounds } }} draws=${[diagonal]} shape=${bounds.map(value => digits(value, 2)).join()}
      at=${value => `predicted ${seconds(value)}:`} series=${REGIMES.map(regime => ({ label: words(regime), color: COLORS[regime], dots: 5 }))} />
    <p class="hint">${whole(count)} steps of the last minutes, a few of each plan. ${percent(inside, 1)} were within their ${percent(steps.interval)} interval.</p><//></div>`;
}

/** The next 1, 2 or 5 of a decade above or below. */
function nice(value, up) {
  const decade = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 2, 5, 10].map(step => step * decade);
  return up ? steps.find(step => step >= value * 1.02) || 20 * decade : steps.reverse().find(step => step <= value * 0.98) || decade / 2;
}

function scatterData(steps) {
  const points = [];
  let inside = 0;
  for (const regime of steps.regimes) {
    const column = REGIMES.indexOf(regime.regime);
    regime.predictedSeconds.forEach((predicted, i) => {
      const measured = regime.measuredSeconds[i];
      if (!(predicted > 0) || !(measured > 0)) return;
      points.push([predicted, column, measured]);
      if (measured >= regime.lowSeconds[i] && measured <= regime.highSeconds[i]) inside++;
    });
  }
  if (points.length === 0) return null;
  points.sort((a, b) => a[0] - b[0]);
  const all = points.flatMap(point => [point[0], point[2]]).sort((a, b) => a - b);
  return {
    data: [points.map(point => point[0]), ...REGIMES.map((_, column) => points.map(point => point[1] === column ? point[2] : null))],
    low: all[0], high: all[all.length - 1], inside: inside / points.length, count: points.length,
  };
}

function Errors({ poolId, past }) {
  const panel = useRef(null);
  const data = useMemo(() => past && past.times.length ? {
    errors: withGaps(past, ['prefillError', 'decodeError', 'mixedError']),
    coverage: withGaps(past, ['prefillCoverage90', 'decodeCoverage90', 'mixedCoverage90']),
  } : null, [past]);
  if (!data) return html`<${Panel} title="Error over time"><${Nothing} title=${past ? 'Nothing is held yet.' : 'Loading…'}><//><//>`;
  const names = ['time', 'prefillError', 'decodeError', 'mixedError', 'prefillCoverage90', 'decodeCoverage90', 'mixedCoverage90', 'driftResets'];
  const toCsv = () => [names, ...past.times.map((time, i) => [new Date(time * 1000).toISOString(), ...names.slice(1).map(name => past.series[name][i])])];
  const now = Date.parse(past.now) / 1000;
  const from = Math.max(now - SPAN, Date.parse(past.begin) / 1000);
  const common = { sync: 'model', xRange: () => [Math.min(from, now - 60), now], xFormat: at => now - from > 1800 ? shortClock(at * 1000) : clock(at * 1000), at: at => clock(at * 1000),
    series: REGIMES.map(regime => ({ label: words(regime), color: COLORS[regime], width: 1.75 })) };
  return html`<div class="cell" ref=${panel}><${Panel} title="Error over time" term="step error" name=${`${poolId}-errors`} csv=${toCsv} png=${() => chartBlocks(panel.current)}>
    <${Chart} ...${common} title="Mean error" term="step error" data=${data.errors} format=${value => percent(value, value < 0.1 ? 1 : 0)} height=${140} least=${0.02} />
    <${Chart} ...${common} title="Share in the 90 % interval" term="coverage" data=${data.coverage} format=${value => percent(value)} height=${140}
      scales=${{ y: { range: (_, low) => [Math.min(0.7, known(low) ? low : 1), 1] } }} slo=${{ value: 0.9, label: '90 %' }} />
    <p class="hint">Since ${clock(from * 1000)}, up to an hour.</p><//></div>`;
}

/** Costs are small: a prefix that leaves two or three digits before the point. */
function cost(row) {
  const [base, ...per] = row.unit.split('/');
  if (base !== 's' || !known(row.value)) return [digits(row.value), row.unit];
  const size = Math.abs(row.value);
  const [factor, prefix] = size === 0 ? [1, ''] : size < 1e-9 ? [1e12, 'p'] : size < 1e-6 ? [1e9, 'n'] : size < 1e-3 ? [1e6, 'µ'] : size < 1 ? [1e3, 'm'] : [1, ''];
  return [digits(row.value * factor), [`${prefix}s`, ...per].join('/')];
}

const COEFFICIENTS = [
  { key: 'name', label: 'Cost of', term: 'coefficient', left: true, text: row => row.name },
  { key: 'value', label: 'Learned', term: 'coefficient', text: row => cost(row)[0], value: row => row.value, mark: row => row.value === 0 ? 'soft' : '' },
  { key: 'unit', label: 'Unit', left: true, sorts: false, text: row => row.value === 0 ? row.unit : cost(row)[1] },
];

const Coefficients = ({ poolId, model }) => html`<${Panel} title="Coefficients" term="coefficient" name=${`${poolId}-coefficients`}
    csv=${() => [['name', 'value', 'unit'], ...model.coefficients.map(row => [row.name, row.value, row.unit])]} png=${() => tablePng(COEFFICIENTS, model.coefficients)}>
    <${Table} columns=${COEFFICIENTS} rows=${model.coefficients} rowKey=${row => row.name} label="Learned costs of a step" />
    <p class="hint">None is negative. A cost of 0 is carried by others, or that kind of work was not seen.</p><//>`;

const SPEED = { SLOW: ['▼ slow', 'over'], FAST: ['▲ fast', ''], NORMAL: ['normal', ''], UNKNOWN: ['not known', 'soft'] };
const WORKERS = [
  { key: 'worker', label: 'Worker', term: 'worker', left: true, text: row => row.workerId || '(no id)' },
  { key: 'state', label: 'State', left: true, text: row => words(row.state), mark: row => row.state === 'LIVE' ? '' : 'over' },
  { key: 'speed', label: 'Speed', term: 'speed factor', left: true, text: row => SPEED[row.speed.verdict][0], mark: row => SPEED[row.speed.verdict][1] },
  { key: 'factor', label: 'Factor', term: 'speed factor', text: row => known(row.speed.factor) ? fixed(row.speed.factor, 3) : '–', value: row => row.speed.factor },
  { key: 'error', label: '±', term: 'speed factor', phone: false, text: row => known(row.speed.standardError) ? fixed(row.speed.standardError, 3) : '–', value: row => row.speed.standardError },
  { key: 'frames', label: 'Steps', text: row => whole(row.speed.frames), value: row => row.speed.frames },
];

function Workers({ poolId, workers }) {
  const rows = workers ? workers.workers.filter(worker => worker.state !== 'GONE') : [];
  return html`<${Panel} title="Workers" term="speed factor" name=${`${poolId}-workers`} csv=${() => tableCsv(WORKERS, rows)} png=${() => tablePng(WORKERS, rows)}>
    ${rows.length === 0 ? html`<${Nothing} title="No worker is heard of."><//>`
      : html`<${Table} columns=${WORKERS} rows=${rows} rowKey=${row => row.workerId + (row.ranks[0] ? row.ranks[0].endpoint : '')} label="Workers and their speed" first=${{ key: 'factor', down: true }} />`}
    <p class="hint">Factor: what a typical worker's step times are multiplied by to get this one's. <${Term} of="speed factor">More<//></p><//>`;
}

// SPDX-License-Identifier: Apache-2.0
// One pool: what it is doing, what is predicted, what is recommended, and how that went lately, on one axis of time.
import { html, useLayoutEffect, useMemo, useRef, useState, useStore } from '../app/dom.js';
import { live } from '../app/live.js';
import { href, replaceQuery } from '../app/router.js';
import { DASH, clock, digits, fixed, known, percent, plain, plainSeconds, prose, rate, seconds, sentence, short, shortClock, ttftName, whole, words } from '../app/format.js';
import { Evidence, Figure, Nothing, Panel, SloMark, Status, Term, sloMet } from '../app/ui.js';
import { Chart, chartBlocks } from '../app/chart.js';
import { useHistory, withGaps } from '../app/history.js';

const SPANS = [[600, '10 min'], [3600, '1 h'], [21600, '6 h']];
/** Marks of decisions nearer than this would cover each other: the newest stays. */
const MARK_PIXELS = 9;
/** Pools that are named where one is not known. */
const MOST_NAMED = 8;
/** A young history is not drawn out further than to this. */
const LEAST_SECONDS = 60;

export function PoolView({ poolId, query }) {
  const pool = useStore(live, state => state.pool && state.pool.id === poolId ? state.pool : null);
  const phase = useStore(live, state => state.phase);
  const detail = useStore(live, state => state.detail);
  const span = SPANS.some(([length]) => String(length) === query.span) ? Number(query.span) : 600;
  const { past, refusal } = useHistory(poolId, span);
  if (!poolId || phase === 'absent' || (refusal && refusal.status === 404)) return html`<${Unknown} poolId=${poolId} view="pool" />`;
  if (!pool) return html`<h1>${poolId}</h1><${Nothing} title=${phase === 'gone' ? 'No answer from the planner.' : 'No plan yet.'}>${detail}<//>`;
  return html`<${Head} pool=${pool} />
    <${Figures} pool=${pool} />
    <${State} pool=${pool} />
    <${Timelines} pool=${pool} past=${past} refusal=${refusal} span=${span} />`;
}

/** An address with a pool that is not configured: links to the same view of those that are. */
export function Unknown({ poolId, view }) {
  const ids = useStore(live, state => state.pools ? state.pools.map(pool => pool.id).join('\n') : '');
  const names = ids ? ids.split('\n') : [];
  const links = names.slice(0, MOST_NAMED).map((id, i) => html`${i > 0 && ', '}<a href=${href(view, id)}>${id}</a>`);
  return html`<h1>${poolId || 'No pool'}</h1><${Nothing} title=${poolId ? `There is no pool “${poolId}”.` : 'There is no pool.'}>
    ${names.length > 0 && html`Configured ${names.length === 1 ? 'is' : 'are'} ${links}${names.length > MOST_NAMED && ` and ${names.length - MOST_NAMED} more`}. `}
    The <a href="#/overview">overview</a> shows all.<//>`;
}

/** Name, kind and verdict; shared by the views of one pool. */
export function Head({ pool }) {
  const status = pool.recommendation ? pool.recommendation.status : pool.status;
  return html`<div class="head"><h1>${pool.id}</h1>
    <span class="soft"><${Term} of="role">${pool.role}<//>${pool.model && html` · ${pool.model}`}</span>
    <${Status} of=${status} /> <${Evidence} of=${pool.evidence} />
    ${pool.recommendation && pool.recommendation.advisory && html`<span class="mark warn" data-term="advisory" tabindex="0">advisory</span>`}</div>`;
}

const pair = spread => spread ? `${seconds(spread.p50Seconds)} / ${seconds(spread.p90Seconds)}` : DASH;

function Figures({ pool }) {
  const r = pool.recommendation, predicted = r.predicted || {}, load = pool.load || {}, demand = r.demand || {};
  const queued = known(load.queuedPrefillRequests) ? load.queuedPrefillRequests + load.queuedDecodeRequests : null;
  const over = (name, limit) => predicted[name] && predicted[name].p90Seconds > limit;
  return html`<dl class="figures">
    <${Figure} name="replicas" value=${`${whole(r.currentReplicas)} → ${whole(r.desiredReplicas)}`} note=${known(r.pendingReplicas) ? `${r.pendingReplicas} pending` : ''} />
    <${Figure} name=${`${ttftName(pool.role)} p50 / p90`} term="TTFT" value=${pair(predicted.ttft)} note=${`≤ ${plainSeconds(r.slo.ttftSeconds)}`} over=${over('ttft', r.slo.ttftSeconds)} />
    ${pool.role !== 'prefill' && html`<${Figure} name="ITL p50 / p90" term="ITL" value=${pair(predicted.itl)} note=${`≤ ${plainSeconds(r.slo.itlSeconds)}`} over=${over('itl', r.slo.itlSeconds)} />`}
    <${Figure} name="SLO" value=${html`<${SloMark} met=${sloMet(pool)} />`} note=${predicted.sloShare ? share(predicted.sloShare, r.slo.attainment) : ''} />
    <${Figure} name="arrivals" value=${rate(demand.requestsPerSecond)} />
    <${Figure} name="running" value=${short(load.runningRequests)} note="requests" />
    <${Figure} name="queue" value=${whole(queued)} note="requests" />
    <${Figure} name="busy" value=${percent(load.busyShare)} />
    ${pool.kv && html`<${Figure} name="KV cache" value=${percent(pool.kv.usedShare)} />`}
    <${Figure} name="prompt / answer" term="lengths" value=${`${whole(load.inputTokens)} / ${whole(load.outputTokens)}`} note="tokens" />
    <${Figure} name="data age" term="age" value=${seconds(pool.dataAgeSeconds)} over=${pool.evidence === 'STALE'} />
  </dl>`;
}

function share(shares, attainment) {
  const least = Math.min(shares.ttft, known(shares.itl) ? shares.itl : 1);
  return `${percent(least)} of ${percent(attainment)}`;
}

/** Why, as a sentence; and what is missing or old, if anything is. */
function State({ pool }) {
  const r = pool.recommendation;
  const missing = pool.notReady ? pool.notReady.regimes.filter(one => one.frames < one.framesNeeded)
    .map(one => `${words(one.regime)} ${one.frames} of ${one.framesNeeded} steps`) : [];
  return html`<p class="sentence"><strong data-term=${r.reason} tabindex="0" class="term">${words(r.reason)}</strong> ${prose(r.message)}
    ${r.limitedBy && html` <span class="soft">Limited by <span class="term" tabindex="0" data-term=${r.limitedBy}>${words(r.limitedBy)}</span>.</span>`}
    ${r.outlook && r.outlook.whyNotRunnerUp && html` <span class="soft">${sentence(r.outlook.whyNotRunnerUp)}</span>`}</p>
    ${r.reason === 'NO_DATA' && html`<${Nothing} title="No frame has arrived yet.">See <a href=${href('inputs', pool.id)}>inputs</a> for the state of each endpoint.<//>`}
    ${pool.evidence === 'STALE' && html`<${Nothing} title=${`Stale: the newest frame is ${seconds(pool.dataAgeSeconds)} old.`}>No engine is live. The size is held; nothing shown is about now. See <a href=${href('inputs', pool.id)}>inputs</a>.<//>`}
    ${missing.length > 0 && html`<${Nothing} title="Not ready.">${sentence(pool.notReady.detail)} Learned: ${missing.join(', ')}.<//>`}`;
}

function Spans({ span }) {
  return html`<span class="spans" role="group" aria-label="Time shown">${SPANS.map(([length, name]) => html`<button type="button" key=${length}
    aria-pressed=${length === span ? 'true' : 'false'} onClick=${() => replaceQuery({ span: length })}>${name}</button>`)}</span>`;
}

const PLOTS = {
  load: ['requestsPerSecondMax', 'requestsPerSecond'],
  backlog: ['backlogSeconds'],
  ttft: ['ttftP90Seconds', 'ttftP50Seconds', 'ttftObservedP90Seconds', 'ttftObservedP50Seconds'],
  itl: ['itlP90Seconds', 'itlP50Seconds', 'itlFromFramesSeconds', 'itlObservedP50Seconds'],
  replicas: ['readyReplicas', 'total', 'desiredReplicas'],
};

function Timelines({ pool, past, refusal, span }) {
  const panel = useRef(null);
  const [picked, setPicked] = useState(null);
  const columns = useMemo(() => past && past.times.length ? build(past) : null, [past]);
  const toPng = () => chartBlocks(panel.current);
  const toCsv = () => csv(past);
  const tools = html`<${Spans} span=${span} />`;
  if (!columns) {
    return html`<${Panel} title="Timelines" wide tools=${tools}><${Nothing} title=${past ? 'Nothing is held yet.' : refusal ? 'The history did not come.' : 'Loading…'}>
      ${refusal ? refusal.message : 'The history begins with the first plan.'}<//><//>`;
  }
  const now = Date.parse(past.now) / 1000;
  const begun = Date.parse(past.begin) / 1000;
  const from = Math.min(now - LEAST_SECONDS, Math.max(now - span, begun));
  const xRange = () => [from, now];
  const slo = pool.recommendation.slo;
  const common = { sync: 'pool', xRange, tick: plainSeconds, xTicks: false, xFormat: now - from > 1800 ? at => shortClock(at * 1000) : at => clock(at * 1000), at: at => clock(at * 1000) };
  return html`<div class="split" ref=${panel}>
    <${Panel} title="Timelines" tools=${tools} csv=${toCsv} png=${toPng} name=${`${pool.id}-timelines`}>
      ${begun > now - span && html`<p class="hint">The history begins at ${clock(begun * 1000)}, when this planner started; it holds 6 h.</p>`}
      <${Chart} ...${common} title="Arrivals" term="arrivals" data=${columns.load} format=${value => digits(value)} tick=${plain} height=${76}
        bands=${[[1, 2, '--predicted']]} series=${[{ label: 'highest', color: '--predicted', width: 0.75 }, { label: 'mean', color: '--predicted', fill: 0.12, width: 1.75 }]} least=${0.1} />
      <${Chart} ...${common} title="Backlog" term="backlog" data=${columns.backlog} format=${seconds} height=${68}
        series=${[{ label: 'to work off', color: '--queue', fill: 0.2, width: 1.5 }]} least=${0.1} />
      <${Chart} ...${common} title=${ttftName(pool.role)} term="TTFT" data=${columns.ttft} format=${seconds} slo=${{ value: slo.ttftSeconds, label: `SLO ${plainSeconds(slo.ttftSeconds)}` }}
        bands=${[[1, 2, '--predicted']]} least=${0.001} series=${[
          { label: 'predicted p90', color: '--predicted', width: 1 }, { label: 'p50', color: '--predicted', width: 2 },
          { label: 'measured p90', color: '--measured', width: 1, dash: [3, 3] }, { label: 'p50', color: '--measured', width: 1.75, dash: [5, 2] }]} />
      ${pool.role !== 'prefill' && html`<${Chart} ...${common} title="ITL" data=${columns.itl} format=${seconds} slo=${{ value: slo.itlSeconds, label: `SLO ${plainSeconds(slo.itlSeconds)}` }}
        bands=${[[1, 2, '--predicted']]} least=${0.001} series=${[
          { label: 'predicted p90', color: '--predicted', width: 1 }, { label: 'p50', color: '--predicted', width: 2 },
          { label: 'in frames', color: '--ink', width: 1 }, { label: 'measured p50', color: '--measured', width: 1.75, dash: [5, 2] }]} />`}
      <${Replicas} common=${common} data=${columns.replicas} decisions=${past.decisions} xRange=${xRange} onPick=${setPicked} />
      ${past.stepSeconds > 1 && html`<p class="hint">A step is ${plainSeconds(past.stepSeconds)}: p90, backlog and the thin line of arrivals show the highest in it, other curves the mean.</p>`}
      <p class="hint">Measured latency is of the last 10 s and comes late: a request is measured at its first token, or at its end.</p>
    <//>
    <${Decisions} pool=${pool} decisions=${past.decisions} from=${now - span} picked=${picked} />
  </div>`;
}

function build(past) {
  const made = {};
  for (const [name, series] of Object.entries(PLOTS)) made[name] = withGaps(past, series);
  const ready = made.replicas[1], pending = withGaps(past, ['pendingReplicas'])[1];
  made.replicas[2] = ready.map((value, i) => value === null ? null : value + (pending[i] || 0));
  return made;
}

function csv(past) {
  const names = Object.keys(past.series);
  return [['time', 'evidence', ...names], ...past.times.map((time, i) =>
    [new Date(time * 1000).toISOString(), past.evidence[i], ...names.map(name => past.series[name][i])])];
}

const direction = one => !known(one.previousReplicas) || !known(one.desiredReplicas) || one.previousReplicas === one.desiredReplicas ? 'same'
  : one.desiredReplicas > one.previousReplicas ? 'up' : 'down';
const GLYPH = { up: '▲', down: '▼', same: '·' };
const change = one => `${whole(one.previousReplicas)} → ${whole(one.desiredReplicas)}`;

/** The replicas with a mark at each decision, which tells its sentence. */
function Replicas({ common, data, decisions, xRange, onPick }) {
  const [marks, setMarks] = useState([]);
  const layer = useRef(null);
  const inputs = useRef(null);
  inputs.current = decisions;
  const place = plot => {
    const [from, to] = xRange();
    const ratio = devicePixelRatio || 1;
    const found = [];
    for (const one of [...inputs.current].reverse()) {
      const at = Date.parse(one.at) / 1000;
      if (at < from || at > to || direction(one) === 'same') continue;
      const x = (plot.bbox.left + plot.bbox.width * (at - from) / (to - from)) / ratio;
      if (found.length === 0 || found[found.length - 1].x - x >= MARK_PIXELS) found.push({ x, one });
    }
    const signature = found.map(mark => `${mark.one.at}${Math.round(mark.x)}`).join();
    if (layer.current !== signature) { layer.current = signature; setMarks(found); }
  };
  return html`<div class="marked">
    <${Chart} ...${common} title="Replicas" term="replicas" data=${data} format=${value => Number.isInteger(value) ? whole(value) : fixed(value, 1)} tick=${plain} xTicks height=${122}
      onPlot=${place} least=${1} series=${[
        { label: 'ready', color: '--ink', stairs: true, width: 1.75, fill: 0.1 },
        { label: 'with pending', color: '--queue', stairs: true, width: 1.25, dash: [2, 2] },
        { label: 'desired', color: '--desired', stairs: true, width: 1.75, dash: [5, 3] }]} />
    <div class="marks">${marks.map(({ x, one }) => html`<button type="button" key=${one.at} class=${`decision ${direction(one)}`} style=${{ left: `${x}px` }}
      data-tip=${`${clock(Date.parse(one.at))}  ${change(one)}. ${one.message}`} aria-label=${`${clock(Date.parse(one.at))}: ${change(one)} replicas`}
      onClick=${() => onPick(one.at)}>${GLYPH[direction(one)]}</button>`)}</div>
  </div>`;
}

function Decisions({ pool, decisions, from, picked }) {
  const list = useRef(null);
  const [all, setAll] = useState(false);
  const shown = useMemo(() => [...decisions].reverse().filter(one => Date.parse(one.at) / 1000 >= from && (all || direction(one) !== 'same')), [decisions, Math.floor(from / 5), all]);
  useLayoutEffect(() => {
    const node = picked && list.current && list.current.querySelector('.picked');
    if (node) node.scrollIntoView({ block: 'nearest' });
  }, [picked]);
  const rows = () => [['time', 'from', 'to', 'status', 'reason', 'limited by', 'message'], ...shown.map(one =>
    [one.at, one.previousReplicas, one.desiredReplicas, one.status, one.reason, one.limitedBy, one.message])];
  return html`<${Panel} title="Decisions" term="decision" name=${`${pool.id}-decisions`} csv=${rows} png=${() => [{ rows: rows() }]}
    tools=${html`<label class="filter"><input type="checkbox" checked=${all} onChange=${event => setAll(event.target.checked)} /> new reasons too</label>`}>
    ${shown.length === 0 && html`<${Nothing} title="No change in this time.">The recommendation has stayed as it is.<//>`}
    <ol class="decisions" ref=${list} tabindex="0" aria-label="Decisions, newest first">${shown.map(one => html`<li key=${one.at} class=${one.at === picked ? 'picked' : ''}>
      <span class="when">${clock(Date.parse(one.at))}</span>
      <b class=${direction(one)}><span aria-hidden="true">${GLYPH[direction(one)]}</span> ${change(one)}</b>
      <span class="term" tabindex="0" data-term=${one.reason}>${words(one.reason)}</span>
      <p>${prose(one.message)}</p></li>`)}</ol><//>`;
}

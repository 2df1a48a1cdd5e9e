// SPDX-License-Identifier: Apache-2.0
// What if requests came at another rate, were of other lengths, or found another fleet? Asked of the planner's fleet twin.
import { html, useEffect, useMemo, useRef, useState, useStore } from '../app/dom.js';
import { get, poolPath, post } from '../app/api.js';
import { live } from '../app/live.js';
import { href, replaceQuery } from '../app/router.js';
import { DASH, digits, known, percent, plain, plainSeconds, seconds, sentence, ttftName, whole, words } from '../app/format.js';
import { Evidence, Figure, Nothing, Panel, Term } from '../app/ui.js';
import { Chart, chartBlocks } from '../app/chart.js';
import { color, faded } from '../app/theme.js';
import { Head, Unknown } from './pool.js';

const SETTLE_MILLIS = 250;
/** Points of a curve: these shares of the highest rate that can be sustained, and so many evenly over what is shown. */
const OF_HIGHEST = [1, 0.95, 0.9];
const EVENLY = 14;

/*
 * A slider: key, label, term, unit, body(value) -> part of the question. Sliders of amounts that span decades are logarithmic.
 */
const SLIDERS = [
  { key: 'rate', label: 'Arrivals', term: 'arrivals', unit: 'req/s', log: true, round: value => Number(value.toPrecision(3)), body: value => ({ requestsPerSecond: value }) },
  { key: 'input', label: 'Prompt length', term: 'lengths', unit: 'tokens', log: true, round: Math.round, body: value => ({ inputTokens: value }) },
  { key: 'output', label: 'Answer length', term: 'lengths', unit: 'tokens', log: true, round: Math.round, body: value => ({ outputTokens: value }), not: 'prefill' },
  { key: 'cached', label: 'Found in the cache', term: 'hit rate', unit: '', round: value => Math.round(value * 100) / 100, write: value => percent(value), body: value => ({ cachedShare: value }), not: 'decode' },
  { key: 'replicas', label: 'Replicas', term: 'replicas', unit: '', round: Math.round, body: value => ({ replicas: value }) },
  { key: 'decode', label: 'Decode replicas', term: 'replicas', unit: '', round: Math.round, body: value => ({ decodeReplicas: value }), paired: true },
  { key: 'ttft', label: 'TTFT objective', term: 'SLO', unit: '', log: true, round: value => Number(value.toPrecision(2)), write: plainSeconds, slo: 'ttftSeconds' },
  { key: 'itl', label: 'ITL objective', term: 'SLO', unit: '', log: true, round: value => Number(value.toPrecision(2)), write: plainSeconds, slo: 'itlSeconds', not: 'prefill' },
];

const ratio = (value, factor) => [Math.max(1, Math.round(value / factor)), Math.max(2, Math.ceil(value * factor))];

function limits(slider, present) {
  const value = present[slider.key];
  switch (slider.key) {
    case 'rate': return [Math.max(0.01, value / 10), Math.max(0.1, value * 10)];
    case 'cached': return [0, 0.95];
    case 'replicas': case 'decode': return [1, Math.max(8, 4 * value)];
    case 'ttft': case 'itl': return [value / 10, value * 10];
    default: return ratio(value, 8);
  }
}

/** What is the case now, which the sliders begin with. */
function presentOf(answer, pool) {
  return {
    rate: answer.workload.requestsPerSecond, input: Math.round(answer.workload.inputTokens.mean), output: Math.round(answer.workload.outputTokens.mean),
    cached: answer.workload.cachedShare, replicas: answer.replicas, decode: answer.decodeReplicas,
    ttft: pool.slo.ttftSeconds, itl: pool.slo.itlSeconds,
  };
}

function question(values, pool, decode) {
  const body = {};
  for (const slider of SLIDERS) {
    if (slider.slo || slider.not === pool.role && !(decode && slider.key === 'output') || (slider.paired && !decode) || !known(values[slider.key])) continue;
    Object.assign(body, slider.body(values[slider.key]));
  }
  body.slo = { ttftSeconds: values.ttft, itlSeconds: values.itl, attainment: pool.slo.attainment };
  if (decode) body.decodePool = decode;
  return body;
}

/** The pool that goes on with a prefill pool's requests. */
function decodeOf(pool, pools) {
  const others = (pools || []).filter(one => one.role === 'decode' && one.model === pool.model);
  return pool.role === 'prefill' && others.length === 1 ? others[0].id : null;
}

export function WhatIfView({ poolId, query }) {
  const pools = useStore(live, state => state.pools);
  const pool = pools && pools.find(one => one.id === poolId);
  if (pools && !pool) return html`<${Unknown} poolId=${poolId} view="what-if" />`;
  if (!pool) return html`<h1>What-if</h1><${Nothing} title="No plan yet."><//>`;
  return html`<${Head} pool=${pool} /><${Asked} key=${poolId} pool=${pool} decode=${decodeOf(pool, pools)} query=${query} />`;
}

function Asked({ pool, decode, query }) {
  const [present, setPresent] = useState(null);
  const [refusal, setRefusal] = useState(null);
  const [turn, setTurn] = useState(0);
  const learned = pool.evidence !== 'COLD' && pool.load && known(pool.load.requestsPerSecond) && known(pool.load.inputTokens);
  useEffect(() => {
    // What is surely refused is not asked.
    if (!learned) return undefined;
    let over = false, timer = 0;
    const body = { search: false, ...(decode ? { decodePool: decode } : {}) };
    post(poolPath(pool.id, '/what-if'), body).then(
      answer => { if (!over) { setPresent(presentOf(answer, pool)); setRefusal(null); } },
      failure => {
        if (over) return;
        setRefusal(failure);
        // Too far beyond what was seen even now: the questions may still be asked, from what is inferred.
        if (failure.status === 422) fallBack();
        else timer = setTimeout(() => setTurn(turn + 1), 3000);
      });
    const fallBack = async () => {
      const load = (await get(poolPath(pool.id))).load || {};
      if (!over && known(load.requestsPerSecond) && known(load.inputTokens)) {
        setPresent({ rate: load.requestsPerSecond, input: Math.round(load.inputTokens), output: Math.round(load.outputTokens || 200), cached: load.cachedShare || 0,
          replicas: pool.currentReplicas || 1, decode: 1, ttft: pool.slo.ttftSeconds, itl: pool.slo.itlSeconds });
      }
    };
    return () => { over = true; clearTimeout(timer); };
  }, [pool.id, turn, learned]);
  if (!present && !learned) {
    return html`<${Nothing} title="This cannot be asked yet.">The model of this pool has to learn some steps, and the traffic has to be known, first. See <a href=${href('model', pool.id)}>what is missing</a>.<//>`;
  }
  if (!present) {
    return html`<${Nothing} title=${refusal ? 'This cannot be asked yet.' : 'Loading…'}>${refusal && sentence(refusal.message)}
      ${refusal && refusal.problem.regimes && html` Learned: ${refusal.problem.regimes.map(regime => `${words(regime.regime)} ${regime.frames} of ${regime.framesNeeded} steps`).join(', ')}.`}<//>`;
  }
  return html`<${Board} pool=${pool} decode=${decode} present=${present} query=${query} />`;
}

function valuesOf(present, query) {
  const values = { ...present };
  for (const { key, round } of SLIDERS) if (query[key] !== undefined && Number(query[key]) >= 0 && query[key] !== '') values[key] = round(Number(query[key]));
  return values;
}

function Board({ pool, decode, present, query }) {
  const values = valuesOf(present, query);
  const { answer, curve, span, refusal, busy } = useAnswers(pool, decode, values);
  const change = (key, value) => replaceQuery({ ...query, [key]: value });
  const changed = SLIDERS.some(({ key }) => query[key] !== undefined);
  return html`<div class="split whatif">
    <${Panel} title="Question" term="what-if" tools=${changed && html`<button type="button" onClick=${() => replaceQuery({})}>As it is now</button>`}>
      <form class="sliders" onSubmit=${event => event.preventDefault()}>${SLIDERS.filter(slider => (slider.not !== pool.role || (decode && slider.key !== 'cached')) && (!slider.paired || decode)).map(slider =>
        html`<${Slider} key=${slider.key} slider=${slider} value=${values[slider.key]} present=${present[slider.key]} range=${limits(slider, present)} onChange=${value => change(slider.key, value)} />`)}
      </form>
      <p class="hint">Begins with what is the case now${decode ? html`, together with pool <b>${decode}</b>, which goes on with the requests` : ''}. The address holds the question.</p>
    <//>
    <div class="answers">
      <${Answer} pool=${pool} answer=${answer} refusal=${refusal} values=${values} busy=${busy} decode=${decode} />
      <${Curves} pool=${pool} curve=${curve} span=${span} busy=${busy} values=${values} decode=${decode} />
    </div>
  </div>`;
}

function Slider({ slider, value, present, range, onChange }) {
  const [low, high] = range;
  const { log, round } = slider;
  const steps = 200;
  const to = position => round(log ? low * (high / low) ** (position / steps) : low + (high - low) * position / steps);
  const from = amount => Math.round(steps * (log ? Math.log(Math.max(low, Math.min(high, amount)) / low) / Math.log(high / low) : (Math.max(low, Math.min(high, amount)) - low) / (high - low)));
  const write = slider.write || (amount => `${plain(amount)}${slider.unit ? ` ${slider.unit}` : ''}`);
  const id = `slider-${slider.key}`;
  return html`<div class="slider"><label for=${id}><${Term} of=${slider.term}>${slider.label}<//></label>
    <output for=${id}>${write(value)}</output>
    <input id=${id} type="range" min="0" max=${steps} value=${from(value)} aria-valuetext=${write(value)}
      onInput=${event => onChange(to(Number(event.target.value)))} />
    <small>${known(present) ? `now ${write(present)}` : ''}</small></div>`;
}

/** Asks when the sliders rest: first the question with its search, then all points of the curves at once. */
function useAnswers(pool, decode, values) {
  const [state, setState] = useState({ answer: null, curve: [], span: 0, refusal: null, busy: true });
  const body = question(values, pool, decode);
  const key = JSON.stringify(body);
  useEffect(() => {
    const stop = new AbortController();
    setState(before => ({ ...before, busy: true }));
    const timer = setTimeout(() => ask(poolPath(pool.id, '/what-if'), body, stop.signal, setState), SETTLE_MILLIS);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [pool.id, key]);
  return state;
}

async function ask(path, body, signal, setState) {
  const curve = [];
  const points = [];
  let span = 1.3 * body.requestsPerSecond;
  try {
    const answer = await post(path, body, { signal });
    curve.push(point(body.requestsPerSecond, answer));
    const highest = answer.highestSustainableRequestsPerSecond;
    if (known(highest)) {
      span = Math.max(1.15 * body.requestsPerSecond, 1.4 * highest);
      points.push(...OF_HIGHEST.map(share => share * highest));
    }
    setState({ answer, curve: [...curve], span, refusal: null, busy: true });
  } catch (refusal) {
    if (signal.aborted) return;
    if (refusal.status !== 422) { setState({ answer: null, curve: [], span, refusal, busy: false }); return; }
    curve.push({ rate: body.requestsPerSecond, tooFar: true });
    setState({ answer: null, curve: [...curve], span, refusal, busy: true });
  }
  for (let i = 1; i <= EVENLY; i++) points.push(span * i / EVENLY);
  try {
    const answer = await post(`${path}/curve`, { ...body, requestsPerSecond: undefined, rates: [span / 20, ...points] }, { signal });
    curve.push(...answer.points.map(one => one.tooFar ? { rate: one.requestsPerSecond, tooFar: true } : point(one.requestsPerSecond, one)));
  } catch (refusal) {
    if (signal.aborted) return;
  }
  setState(before => ({ ...before, curve: curve.sort((a, b) => a.rate - b.rate), busy: false }));
}

const point = (rate, answer) => ({
  rate, ttft: answer.ttft, itl: answer.itl, stable: answer.stable, attainment: answer.attainment && answer.attainment.both, factor: answer.extrapolation.factor,
});

function Answer({ pool, answer, refusal, values, busy, decode }) {
  if (!answer) {
    return html`<${Panel} title="Answer"><${Nothing} title=${refusal ? refusal.status === 422 ? 'Beyond what was seen.' : 'No answer.' : 'Asking…'}>${refusal && sentence(refusal.message)}<//><//>`;
  }
  const fleet = answer.smallestFleet;
  const met = answer.attainment && answer.attainment.both >= pool.slo.attainment;
  const three = spread => spread ? `${seconds(spread.p50Seconds)} / ${seconds(spread.p90Seconds)} / ${seconds(spread.p99Seconds)}` : DASH;
  const between = range => range ? `p90 between ${seconds(range.low.p90Seconds)} and ${range.high ? seconds(range.high.p90Seconds) : 'no end'}` : '';
  const sizes = fleet ? decode ? `${whole(fleet.replicas)} + ${whole(fleet.decodeReplicas)}` : whole(fleet.replicas) : 'none suffices';
  const rows = () => [['quantity', 'p50 (s)', 'p90 (s)', 'p99 (s)'], ...['ttft', 'itl'].filter(name => answer[name]).map(name =>
    [name.toUpperCase(), answer[name].p50Seconds, answer[name].p90Seconds, answer[name].p99Seconds]), ['smallest fleet', sizes], ['highest sustainable req/s', answer.highestSustainableRequestsPerSecond]];
  return html`<${Panel} title="Answer" term="what-if" name=${`${pool.id}-what-if-answer`} csv=${rows} png=${() => [{ rows: rows() }]} tools=${busy && html`<span class="soft" role="status">asking…</span>`}>
    <dl class="figures">
      <${Figure} name=${`${ttftName(pool.role)} p50 / p90 / p99`} term="TTFT" value=${three(answer.ttft)} note=${between(answer.ttftRange)} over=${answer.ttft && answer.ttft.p90Seconds > values.ttft} />
      ${answer.itl && html`<${Figure} name="ITL p50 / p90 / p99" term="ITL" value=${three(answer.itl)} note=${between(answer.itlRange)} over=${answer.itl.p90Seconds > values.itl} />`}
      <${Figure} name="SLO met by" term="attainment" value=${answer.attainment ? percent(answer.attainment.both, 1) : DASH} note=${`of ${percent(pool.slo.attainment)} wanted`} over=${answer.attainment && !met} />
      <${Figure} name="queues" term="stable" value=${answer.stable ? 'stable' : 'grow without end'} over=${!answer.stable} />
      <${Figure} name="smallest fleet" value=${sizes} note="replicas" over=${!fleet} />
      <${Figure} name="highest rate" term="sustainable" value=${known(answer.highestSustainableRequestsPerSecond) ? digits(answer.highestSustainableRequestsPerSecond) : DASH} note=${`req/s by ${whole(answer.replicas)}`} />
      <${Figure} name="utilisation" value=${answer.pools.map(one => percent(one.utilisation)).join(' · ')} />
      <${Figure} name="evidence" value=${html`<${Evidence} of=${answer.evidence} />`} note=${answer.extrapolation.factor > 1 ? `${digits(answer.extrapolation.factor, 2)} times the largest seen` : ''} />
    </dl><//>`;
}

/** Where answers begin to lie beyond what was seen, and where they end; null if they do not. */
function borders(curve) {
  const sorted = [...curve].sort((a, b) => a.rate - b.rate);
  const beyond = sorted.find(one => one.tooFar || one.factor > 1);
  const end = sorted.find(one => one.tooFar);
  return { from: beyond ? beyond.rate : null, end: end ? end.rate : null };
}

function Curves({ pool, curve, span, busy, values, decode }) {
  const panel = useRef(null);
  const built = useMemo(() => {
    const points = curve.filter(one => !one.tooFar).sort((a, b) => a.rate - b.rate);
    const column = (name, quantile) => points.map(one => one.stable && one[name] ? one[name][quantile] : null);
    return {
      points, rates: points.map(one => one.rate), border: borders(curve),
      ttft: [column('ttft', 'p90Seconds'), column('ttft', 'p50Seconds')], itl: [column('itl', 'p90Seconds'), column('itl', 'p50Seconds')],
    };
  }, [curve]);
  const latest = useRef(null);
  latest.current = { border: built.border, rate: values.rate };
  if (built.points.length < 2) return html`<${Panel} title="Curves"><${Nothing} title="Asking…"><//><//>`;
  const guides = plot => drawGuides(plot, latest.current);
  const common = { time: false, xFormat: plain, tick: plainSeconds, restAt: values.rate, xRange: () => [0, span || 2 * values.rate], sync: 'what-if', height: 190, format: seconds, draws: [guides], least: 0.001,
    at: value => `at ${digits(value)} req/s:`, bands: [[1, 2, '--predicted']],
    series: [{ label: 'p90', color: '--predicted', width: 1 }, { label: 'p50', color: '--predicted', width: 2 }] };
  const toCsv = () => [['req/s', 'TTFT p50 (s)', 'TTFT p90 (s)', 'ITL p50 (s)', 'ITL p90 (s)', 'stable', 'SLO met by', 'times the largest seen'], ...built.points.map(one =>
    [one.rate, one.ttft && one.ttft.p50Seconds, one.ttft && one.ttft.p90Seconds, one.itl && one.itl.p50Seconds, one.itl && one.itl.p90Seconds, one.stable, one.attainment, one.factor])];
  const { from, end } = built.border;
  const unstable = built.points.find(one => !one.stable);
  return html`<div ref=${panel}><${Panel} title="Curves" term="what-if" name=${`${pool.id}-what-if`} csv=${toCsv} png=${() => chartBlocks(panel.current)}>
    <${Chart} ...${common} title=${`${ttftName(pool.role)} by arrivals (req/s), ${whole(values.replicas)}${decode ? ` + ${whole(values.decode)}` : ''} replicas`} term="TTFT" data=${[built.rates, ...built.ttft]} slo=${{ value: values.ttft, label: `SLO ${plainSeconds(values.ttft)}` }} cap=${4 * values.ttft} />
    ${(pool.role !== 'prefill' || decode) && html`<${Chart} ...${common} title="ITL by arrivals (req/s)" term="ITL" data=${[built.rates, ...built.itl]} slo=${{ value: values.itl, label: `SLO ${plainSeconds(values.itl)}` }} cap=${4 * values.itl} />`}
    <p class="hint">${unstable ? `From ${digits(unstable.rate)} req/s on queues grow without end. ` : ''}${known(from) ? `Shaded: beyond what was seen, from ${digits(from)} req/s on` : busy ? 'Asking' : 'All of it lies within what was seen'}${known(end) ? `; answers end before ${digits(end)} req/s, where steps would be over twice as large as any seen.` : '.'}</p><//></div>`;
}

function drawGuides(plot, { border, rate }) {
  const { ctx: pen, bbox } = plot;
  const x = value => Math.max(bbox.left, Math.min(bbox.left + bbox.width, plot.valToPos(value, 'x', true)));
  pen.save();
  if (known(border.from)) {
    pen.fillStyle = faded('--slo', 0.09);
    pen.fillRect(x(border.from), bbox.top, bbox.left + bbox.width - x(border.from), bbox.height);
    pen.fillStyle = color('--soft');
    pen.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    pen.textAlign = 'left';
    pen.fillText('beyond what was seen', x(border.from) + 4 * devicePixelRatio, bbox.top + bbox.height - 6);
  }
  pen.strokeStyle = color('--ink');
  pen.lineWidth = devicePixelRatio;
  pen.beginPath();
  pen.moveTo(x(rate), bbox.top);
  pen.lineTo(x(rate), bbox.top + bbox.height);
  pen.stroke();
  pen.restore();
}

// SPDX-License-Identifier: Apache-2.0
// What comes in: of all pools at a glance, and of one pool by endpoint and rank.
import { html, useEvery, useRef, useState } from '../app/dom.js';
import { get, poolPath } from '../app/api.js';
import { go, href } from '../app/router.js';
import { clock, digits, fixed, known, short, whole, words } from '../app/format.js';
import { Figure, Nothing, Panel } from '../app/ui.js';
import { Table, tableCsv, tablePng } from '../app/table.js';
import { Unknown } from './pool.js';

const MILLIS = 2000;
const TROUBLE = ['UNRESOLVABLE', 'CONNECTING', 'INCOMPATIBLE'];

/** Frames a second between two answers, by key; smoothed over a few of them. */
function useRates() {
  const held = useRef(new Map());
  return (key, count, now) => {
    const before = held.current.get(key);
    if (!before || count < before.count) {
      held.current.set(key, { count, now, rate: null });
      return null;
    }
    if (now - before.now < 500) return before.rate;
    const fresh = (count - before.count) * 1000 / (now - before.now);
    const rate = before.rate === null ? fresh : 0.5 * fresh + 0.5 * before.rate;
    held.current.set(key, { count, now, rate });
    return rate;
  };
}

export const InputsView = ({ poolId }) => poolId ? html`<${OnePool} poolId=${poolId} />` : html`<${AllPools} />`;

function useAnswer(path, annotate) {
  const [state, setState] = useState({ answer: null, refusal: null });
  const rates = useRates();
  useEvery(MILLIS, async isOver => {
    try {
      const answer = await get(path);
      if (!isOver()) setState({ answer: annotate(answer, rates, performance.now()), refusal: null });
    } catch (refusal) {
      if (!isOver()) setState(before => ({ ...before, refusal }));
    }
  }, [path]);
  return state;
}

const total = counts => Object.values(counts).reduce((sum, count) => sum + count, 0);
const troubled = endpoints => TROUBLE.reduce((sum, state) => sum + (endpoints[state] || 0), 0);

const POOLS = [
  { key: 'pool', label: 'Pool', term: 'pool', left: true, text: row => row.pool, cell: row => html`<a href=${href('inputs', row.pool)}>${row.pool}</a>` },
  { key: 'endpoints', label: 'Endpoints', term: 'endpoint', text: row => `${total(row.endpoints) - troubled(row.endpoints)} of ${total(row.endpoints)}`, value: row => total(row.endpoints) - troubled(row.endpoints) },
  { key: 'live', label: 'Live ranks', term: 'rank', text: row => whole(row.ranks.LIVE), value: row => row.ranks.LIVE, mark: row => row.ranks.LIVE === 0 ? 'over' : '' },
  { key: 'stale', label: 'Silent', term: 'SILENT', text: row => whole(row.ranks.STALE), value: row => row.ranks.STALE, mark: row => row.ranks.STALE > 0 ? 'over' : '' },
  { key: 'gone', label: 'Gone', term: 'GONE', phone: false, text: row => whole(row.ranks.GONE), value: row => row.ranks.GONE },
  { key: 'rate', label: 'Frames', term: 'frame', text: row => known(row.rate) ? digits(row.rate) : '–', unit: '/s', value: row => row.rate },
  { key: 'received', label: 'Received', term: 'frame', phone: false, text: row => short(row.framesReceived), value: row => row.framesReceived },
  { key: 'heartbeats', label: 'Heartbeats', term: 'heartbeat', phone: false, text: row => short(row.heartbeats), value: row => row.heartbeats },
  { key: 'lost', label: 'Lost', term: 'lost', text: row => short(row.framesLost), value: row => row.framesLost, mark: row => row.framesLost > 0 ? 'over' : '' },
  { key: 'dropped', label: 'Dropped', term: 'dropped', text: row => short(row.framesDropped), value: row => row.framesDropped, mark: row => row.framesDropped > 0 ? 'over' : '' },
  { key: 'rejected', label: 'Rejected', term: 'rejected', text: row => short(total(row.rejected)), value: row => total(row.rejected), mark: row => total(row.rejected) > 0 ? 'over' : '' },
  { key: 'restarts', label: 'Restarts', term: 'restart', phone: false, text: row => short(row.restarts), value: row => row.restarts },
  { key: 'newest', label: 'Newest frame', term: 'age', text: row => known(row.newestFrameAgeSeconds) ? fixed(row.newestFrameAgeSeconds, 1) : '–', unit: 's ago', value: row => row.newestFrameAgeSeconds },
  { key: 'silence', label: 'Longest silence', term: 'silence', text: row => known(row.longestSilenceSeconds) ? fixed(row.longestSilenceSeconds, 1) : '–', unit: 's', value: row => row.longestSilenceSeconds,
    mark: row => row.ranks.STALE > 0 ? 'over' : '' },
];

function AllPools() {
  const { answer, refusal } = useAnswer('v1/inputs', (document, rates, now) =>
    document.pools.map(row => ({ ...row, rate: rates(row.pool, row.framesReceived, now) })));
  if (!answer) return html`<h1>Inputs</h1><${Nothing} title=${refusal ? 'The inputs cannot be read now.' : 'Loading…'}>${refusal && refusal.message}<//>`;
  const samples = answer.flatMap(row => row.rejectSamples.map(sample => ({ ...sample, pool: row.pool, count: row.rejected[sample.reason] })));
  const sum = key => answer.reduce((all, row) => all + row[key], 0);
  const rates = answer.map(row => row.rate).filter(known);
  return html`<h1 class="unseen">Inputs</h1>
    <dl class="figures">
      <${Figure} name="frames" term="frame" value=${rates.length ? digits(rates.reduce((a, b) => a + b, 0)) : '–'} note="/s" />
      <${Figure} name="live ranks" term="rank" value=${whole(answer.reduce((all, row) => all + row.ranks.LIVE, 0))} />
      <${Figure} name="silent ranks" term="SILENT" value=${whole(answer.reduce((all, row) => all + row.ranks.STALE, 0))} over=${answer.some(row => row.ranks.STALE > 0)} />
      <${Figure} name="lost" value=${whole(sum('framesLost'))} over=${sum('framesLost') > 0} />
      <${Figure} name="dropped" value=${whole(sum('framesDropped'))} over=${sum('framesDropped') > 0} />
      <${Figure} name="rejected" value=${whole(answer.reduce((all, row) => all + total(row.rejected), 0))} over=${samples.length > 0} />
    </dl>
    <${Panel} title="Inputs by pool" term="endpoint" name="inputs" wide csv=${() => tableCsv(POOLS, answer)} png=${() => tablePng(POOLS, answer)}>
      <${Table} columns=${POOLS} rows=${answer} rowKey=${row => row.pool} label="Inputs by pool" first=${{ key: 'pool', down: false }} stack onOpen=${row => go(href('inputs', row.pool))} /><//>
    <${Rejects} samples=${samples} name="inputs" />`;
}

function printable(hex) {
  const bytes = hex.match(/../g) || [];
  return bytes.map(byte => { const code = parseInt(byte, 16); return code >= 32 && code < 127 ? String.fromCharCode(code) : '·'; }).join('');
}

const REJECTS = [
  { key: 'pool', label: 'Pool', left: true, text: row => row.pool },
  { key: 'reason', label: 'Reason', term: 'rejected', left: true, text: row => words(row.reason) + (row.field ? `: ${row.field}` : ''), cell: (row, text) => html`<span class="term" tabindex="0" data-tip=${row.why}>${text}</span>` },
  { key: 'count', label: 'Messages', text: row => whole(row.count), value: row => row.count },
  { key: 'at', label: 'Sample at', text: row => clock(Date.parse(row.at)), value: row => row.at },
  { key: 'endpoint', label: 'From', term: 'endpoint', left: true, phone: false, text: row => row.endpoint },
  { key: 'bytes', label: 'Size', text: row => whole(row.bytes), unit: 'B', value: row => row.bytes },
  { key: 'prefix', label: 'First bytes', left: true, sorts: false, mark: () => 'cut', text: row => row.prefix,
    cell: row => html`<code title=${row.prefix}>${printable(row.prefix) || '–'}</code>` },
];

const Rejects = ({ samples, name }) => html`<${Panel} title="Rejected messages" term="rejected" name=${`${name}-rejected`} wide csv=${samples.length ? () => tableCsv(REJECTS, samples) : null} png=${samples.length ? () => tablePng(REJECTS, samples) : null}>
  ${samples.length === 0 ? html`<${Nothing} title="None.">Every message that came was a frame.<//>`
    : html`<${Table} columns=${REJECTS} rows=${samples} rowKey=${row => row.pool + row.reason + row.endpoint} label="Rejected messages, with a sample of each" first=${{ key: 'at', down: true }} />`}<//>`;

const ENDPOINTS = [
  { key: 'endpoint', label: 'Endpoint', term: 'endpoint', left: true, text: row => row.endpoint },
  { key: 'source', label: 'Source', term: 'source', left: true, phone: false, mark: () => 'cut', text: row => row.source, cell: row => html`<span title=${row.source}>${row.source}</span>` },
  { key: 'state', label: 'State', left: true, text: row => words(row.state) + (row.detail ? `: ${row.detail}` : ''), mark: row => !TROUBLE.includes(row.state) ? 'cut' : row.state === 'CONNECTING' ? 'soft cut' : 'over cut',
    cell: (row, text) => html`<span class="term" tabindex="0" data-term=${row.state}>${text}</span>` },
  { key: 'rate', label: 'Frames', term: 'frame', text: row => known(row.rate) ? digits(row.rate) : '–', unit: '/s', value: row => row.rate },
  { key: 'received', label: 'Received', phone: false, text: row => short(row.framesReceived), value: row => row.framesReceived },
  { key: 'lost', label: 'Lost', term: 'lost', phone: false, text: row => short(row.framesLost), value: row => row.framesLost, mark: row => row.framesLost > 0 ? 'over' : '' },
  { key: 'dropped', label: 'Dropped', term: 'dropped', phone: false, text: row => short(row.framesDropped), value: row => row.framesDropped, mark: row => row.framesDropped > 0 ? 'over' : '' },
  { key: 'rejected', label: 'Rejected', term: 'rejected', text: row => short(total(row.rejected)), value: row => total(row.rejected), mark: row => total(row.rejected) > 0 ? 'over' : '' },
  { key: 'connects', label: 'Connects', phone: false, text: row => whole(row.connects), value: row => row.connects },
];

const RANKS = [
  { key: 'worker', label: 'Worker', term: 'worker', left: true, text: row => row.workerId || '(no id)' },
  { key: 'rank', label: 'Rank', term: 'rank', text: row => String(row.dpRank), value: row => row.dpRank },
  { key: 'endpoint', label: 'Endpoint', term: 'endpoint', left: true, phone: false, text: row => row.endpoint },
  { key: 'activity', label: 'Doing', left: true, text: row => words(row.activity), mark: row => row.activity === 'SILENT' || row.activity === 'GONE' ? 'over' : '',
    cell: (row, text) => html`<span class="term" tabindex="0" data-term=${row.activity}>${text}</span>` },
  { key: 'rate', label: 'Frames', term: 'frame', text: row => known(row.rate) ? digits(row.rate) : '–', unit: '/s', value: row => row.rate },
  { key: 'age', label: 'Last frame', term: 'age', text: row => known(row.lastFrameAgeSeconds) ? fixed(row.lastFrameAgeSeconds, 1) : '–', unit: 's ago', value: row => row.lastFrameAgeSeconds,
    mark: row => row.state === 'STALE' ? 'over' : '' },
  { key: 'heartbeats', label: 'Heartbeats', term: 'heartbeat', phone: false, text: row => short(row.heartbeats), value: row => row.heartbeats },
  { key: 'learned', label: 'Learned', term: 'learned', phone: false, text: row => short(row.stepsLearned), value: row => row.stepsLearned },
  { key: 'lost', label: 'Lost', term: 'lost', text: row => short(row.framesLost), value: row => row.framesLost, mark: row => row.framesLost > 0 ? 'over' : '' },
  { key: 'restarts', label: 'Restarts', term: 'restart', phone: false, text: row => whole(row.restarts), value: row => row.restarts },
  { key: 'odd', label: 'Odd', term: 'odd', phone: false, text: row => short(row.implausible + row.untimedSteps), value: row => row.implausible + row.untimedSteps },
];

function annotate(document, rates, now) {
  const ranks = document.workers.flatMap(worker => worker.ranks.map(rank => ({ ...rank, workerId: worker.workerId })));
  return {
    ...document,
    ranks: ranks.map(rank => ({ ...rank, rate: rates(`${rank.endpoint} ${rank.publisherId} ${rank.workerId} ${rank.dpRank}`, rank.framesReceived, now) })),
    endpoints: document.endpoints.map(endpoint => ({ ...endpoint, rate: rates(`${endpoint.source} ${endpoint.endpoint}`, endpoint.framesReceived, now) })),
  };
}

function OnePool({ poolId }) {
  const { answer, refusal } = useAnswer(poolPath(poolId, '/workers'), annotate);
  const { answer: all } = useAnswer('v1/inputs', document => document.pools);
  const [gone, setGone] = useState(false);
  if (refusal && refusal.status === 404) return html`<${Unknown} poolId=${poolId} view="inputs" />`;
  if (!answer) return html`<h1>Inputs of ${poolId}</h1><${Nothing} title=${refusal ? 'The inputs cannot be read now.' : 'Loading…'}>${refusal && refusal.message}<//>`;
  const ranks = gone ? answer.ranks : answer.ranks.filter(rank => rank.state !== 'GONE');
  const hidden = answer.ranks.length - ranks.length;
  const mine = all && all.find(row => row.pool === poolId);
  const samples = mine ? mine.rejectSamples.map(sample => ({ ...sample, pool: poolId, count: mine.rejected[sample.reason] })) : [];
  const tools = (hidden > 0 || gone) && html`<label class="filter"><input type="checkbox" checked=${gone} onChange=${event => setGone(event.target.checked)} /> with ${gone ? '' : `${hidden} `}gone</label>`;
  return html`<h1>Inputs of ${poolId}</h1>
    <${Panel} title="Ranks" term="rank" name=${`${poolId}-ranks`} wide tools=${tools} csv=${() => tableCsv(RANKS, ranks)} png=${() => tablePng(RANKS, ranks)}>
      ${ranks.length === 0 ? html`<${Nothing} title="No rank is heard of.">${answer.ranks.length ? 'All have gone.' : 'No frame has arrived from any endpoint below.'}<//>`
        : html`<${Table} columns=${RANKS} rows=${ranks} rowKey=${row => `${row.endpoint} ${row.publisherId} ${row.workerId} ${row.dpRank}`} label="Ranks" first=${{ key: 'worker', down: false }} />`}<//>
    <${Panel} title="Endpoints" term="endpoint" name=${`${poolId}-endpoints`} wide csv=${() => tableCsv(ENDPOINTS, answer.endpoints)} png=${() => tablePng(ENDPOINTS, answer.endpoints)}>
      ${answer.endpoints.length === 0 ? html`<${Nothing} title="No endpoint is configured."><//>`
        : html`<${Table} columns=${ENDPOINTS} rows=${answer.endpoints} rowKey=${row => `${row.source} ${row.endpoint}`} label="Endpoints" first=${{ key: 'received', down: true }} />`}<//>
    <${Rejects} samples=${samples} name=${poolId} />`;
}

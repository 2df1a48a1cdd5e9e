// SPDX-License-Identifier: Apache-2.0
// All pools, one row each.
import { html, useMemo, useState, useStore } from '../app/dom.js';
import { live } from '../app/live.js';
import { go, href } from '../app/router.js';
import { DASH, fixed, known, plain, whole, words } from '../app/format.js';
import { Evidence, Figure, Nothing, Panel, SloMark, Status, sloMet, statusWord } from '../app/ui.js';
import { Table, sortRows, tableCsv, tablePng } from '../app/table.js';
import { Spark } from '../app/spark.js';

const p90 = (pool, name) => pool.predicted && pool.predicted[name] ? pool.predicted[name].p90Seconds : null;
const metText = met => met === null ? 'not known' : met ? 'met' : 'missed';
const order = { UNDER_PROVISIONED: 0, UNDECIDED: 1, OVER_PROVISIONED: 2, RIGHT_SIZED: 3 };
const queued = pool => pool.load && known(pool.load.queuedPrefillRequests)
  ? pool.load.queuedPrefillRequests + pool.load.queuedDecodeRequests : null;

function replicas(pool) {
  const now = known(pool.currentReplicas) ? whole(pool.currentReplicas) : DASH;
  const wanted = known(pool.desiredReplicas) ? whole(pool.desiredReplicas) : DASH;
  return `${now} → ${wanted}`;
}

/** A predicted latency beside its objective, in one unit for all pools. */
function latency(name, label, unit, scale, places, objective) {
  const slo = pool => known(objective(pool)) ? `/ ${plain(objective(pool) * scale)} ${unit}` : '';
  const value = pool => known(p90(pool, name)) ? fixed(p90(pool, name) * scale, places) : DASH;
  return {
    key: name, label, term: name.toUpperCase(), text: pool => `${value(pool)} ${slo(pool)}`.trim(), value: pool => p90(pool, name),
    cell: pool => html`${value(pool)} <small class="objective">${slo(pool)}</small>`, mark: pool => known(objective(pool)) && p90(pool, name) > objective(pool) ? 'over' : '',
  };
}

const COLUMNS = [
  { key: 'pool', label: 'Pool', term: 'pool', left: true, text: pool => pool.id,
    cell: pool => html`<a href=${href('pool', pool.id)}>${pool.id}</a>` },
  { key: 'role', label: 'Role', term: 'role', left: true, text: pool => pool.role },
  { key: 'model', label: 'Model', term: 'model', left: true, phone: false, text: pool => pool.model || DASH,
    mark: () => 'cut', cell: pool => html`<span title=${pool.model}>${pool.model || DASH}</span>` },
  { key: 'status', label: 'Status', term: 'status', left: true, text: pool => statusWord(pool.status), value: pool => order[pool.status],
    cell: pool => html`<${Status} of=${pool.status} />` },
  { key: 'slo', label: 'SLO', term: 'SLO', left: true, text: pool => metText(sloMet(pool)), cell: pool => html`<${SloMark} met=${sloMet(pool)} />` },
  { key: 'replicas', label: 'Replicas', term: 'replicas', text: replicas, value: pool => pool.desiredReplicas,
    mark: pool => known(pool.desiredReplicas) && pool.desiredReplicas !== pool.currentReplicas ? 'changes' : '' },
  { key: 'pending', label: 'Pending', term: 'pending', text: pool => whole(pool.pendingReplicas), value: pool => pool.pendingReplicas,
    mark: pool => pool.pendingReplicas > 0 ? 'changes' : 'soft' },
  latency('ttft', 'TTFT p90', 's', 1, 2, pool => pool.slo.ttftSeconds),
  latency('itl', 'ITL p90', 'ms', 1e3, 1, pool => pool.role === 'prefill' ? null : pool.slo.itlSeconds),
  { key: 'queue', label: 'Queue', term: 'queue', text: pool => whole(queued(pool)), unit: 'req', value: queued },
  { key: 'load', label: 'Arrivals', term: 'arrivals', text: pool => pool.load ? fixed(pool.load.requestsPerSecond, 1) : DASH, unit: 'req/s',
    value: pool => pool.load ? pool.load.requestsPerSecond : null },
  { key: 'trend', label: 'Last 10 min', term: 'arrivals', sorts: false, left: true, cell: pool => html`<${Spark} id=${pool.id} />` },
  { key: 'evidence', label: 'Evidence', term: 'evidence', left: true, text: pool => words(pool.evidence), cell: pool => html`<${Evidence} of=${pool.evidence} />` },
  { key: 'age', label: 'Data age', term: 'age', text: pool => known(pool.dataAgeSeconds) ? fixed(pool.dataAgeSeconds, 1) : DASH, unit: 's', value: pool => pool.dataAgeSeconds,
    mark: pool => pool.evidence === 'STALE' ? 'over' : '' },
];

function Summary({ pools }) {
  const count = status => pools.filter(pool => pool.status === status).length;
  const sum = key => pools.some(pool => known(pool[key])) ? pools.reduce((all, pool) => all + (pool[key] || 0), 0) : null;
  const met = pools.map(sloMet);
  const missed = met.filter(one => one === false).length;
  const rates = pools.filter(pool => pool.role !== 'decode').map(pool => pool.load && pool.load.requestsPerSecond).filter(known);
  return html`<dl class="figures">
    <${Figure} name="pools" term="pool" value=${pools.length} />
    <${Figure} name="SLO missed" term="SLO" value=${missed} over=${missed > 0} note=${`of ${met.filter(one => one !== null).length} known`} />
    <${Figure} name="under-provisioned" term="UNDER_PROVISIONED" value=${count('UNDER_PROVISIONED')} over=${count('UNDER_PROVISIONED') > 0} />
    <${Figure} name="over-provisioned" term="OVER_PROVISIONED" value=${count('OVER_PROVISIONED')} />
    <${Figure} name="undecided" term="UNDECIDED" value=${count('UNDECIDED')} />
    <${Figure} name="replicas" value=${`${whole(sum('currentReplicas'))} → ${whole(sum('desiredReplicas'))}`} />
    <${Figure} name="arrivals" value=${rates.length ? fixed(rates.reduce((a, b) => a + b, 0), 1) : DASH} note="req/s" />
  </dl>`;
}

export function Overview() {
  const pools = useStore(live, state => state.pools);
  const phase = useStore(live, state => state.phase);
  const detail = useStore(live, state => state.detail);
  const [filter, setFilter] = useState('');
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    return (pools || []).filter(pool => !wanted || `${pool.id} ${pool.model} ${pool.role} ${statusWord(pool.status)} ${words(pool.evidence)}`.toLowerCase().includes(wanted));
  }, [pools, filter]);
  if (!pools) {
    return phase === 'gone' ? html`<h1>Overview</h1><${Nothing} title="No answer from the planner.">It is asked again every few seconds.<//>`
      : html`<h1>Overview</h1><${Nothing} title="No plan yet.">${detail || 'The first one comes a second after the start.'}<//>`;
  }
  const sorted = () => sortRows(shown, COLUMNS, { key: 'pool' });
  const tools = pools.length > 5 && html`<label class="filter">Filter <input type="search" value=${filter} onInput=${event => setFilter(event.target.value)} placeholder="id, model, status" /></label>`;
  return html`<h1 class="unseen">Overview</h1>
    <${Summary} pools=${pools} />
    <${Panel} title="Pools" term="pool" wide tools=${tools} csv=${() => tableCsv(COLUMNS, sorted())} png=${() => tablePng(COLUMNS, sorted())}>
      ${shown.length === 0 ? html`<${Nothing} title="No pool matches.">The filter looks at id, model, role, status and evidence.<//>`
        : html`<${Table} columns=${COLUMNS} rows=${shown} rowKey=${pool => pool.id} label="Pools" first=${{ key: 'pool', down: false }} stack
            onOpen=${pool => go(href('pool', pool.id))} />`}
    <//>`;
}


// SPDX-License-Identifier: Apache-2.0
// A table that sorts, and that has only the rows in view in the document when there are many. A row is drawn again only
// when one of its texts has changed.
import { html, Component, useEffect, useMemo, useRef, useState } from './dom.js';

const ROW_PIXELS = 29;
const ALL_BELOW = 80;
const SPARE = 8;

/*
 * A column: key, label, unit, term (of the glossary), text(row) -> string, value(row) -> what to sort and export by (else the
 * text), cell(row, text) -> markup (else the text), mark(row) -> class, left: aligned as text, phone: false hides it there.
 */
class Row extends Component {
  shouldComponentUpdate(next) {
    return next.signature !== this.props.signature || next.selected !== this.props.selected;
  }

  render({ row, columns, texts, marks, onOpen, selected }) {
    return html`<tr class=${(onOpen ? 'opens' : '') + (selected ? ' selected' : '')} onClick=${onOpen && (() => onOpen(row))}>
      ${columns.map((column, i) => {
        const content = column.cell ? column.cell(row, texts[i]) : texts[i];
        const kind = `${column.left ? 'left' : ''} ${marks[i]} ${column.phone === false ? 'roomy' : ''}`;
        return i === 0 ? html`<th scope="row" class=${kind} data-label=${column.label}>${content}</th>`
          : html`<td class=${kind} data-label=${column.label}><span>${content}${column.unit && texts[i] !== '–' && html`<small class="unit">${column.unit}</small>`}</span></td>`;
      })}</tr>`;
  }
}

const sortValue = (column, row) => column.value ? column.value(row) : column.text(row);

export function sortRows(rows, columns, sort) {
  const column = columns.find(one => one.key === sort.key);
  if (!column) return rows;
  const sign = sort.down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const x = sortValue(column, a), y = sortValue(column, b);
    // What is not known comes last, whichever way.
    if (x === null || x === undefined) return y === null || y === undefined ? 0 : 1;
    if (y === null || y === undefined) return -1;
    return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), undefined, { numeric: true }));
  });
}

/** Rows of values for an export, the first the names of the columns. */
export function tableCsv(columns, rows) {
  const written = columns.filter(column => column.text || column.value);
  return [written.map(column => column.label + (column.unit ? ` (${column.unit})` : '')),
    ...rows.map(row => written.map(column => column.value ? column.value(row) : column.text(row)))];
}

/** The same as shown. */
export function tablePng(columns, rows) {
  const written = columns.filter(column => column.text);
  return [{ rows: [written.map(column => column.label + (column.unit ? ` ${column.unit}` : '')),
    ...rows.map(row => written.map(column => column.text(row)))] }];
}

function Head({ column, sort, onSort }) {
  const active = sort.key === column.key;
  const kind = `${column.left ? 'left' : ''} ${column.phone === false ? 'roomy' : ''}`;
  if (column.sorts === false) return html`<th scope="col" class=${kind} data-term=${column.term}>${column.label}</th>`;
  // On the side away from the edge that the cells keep to, so that the label stands above them.
  const arrow = html`<span class="arrow" aria-hidden="true">${active ? (sort.down ? '↓' : '↑') : ''}</span>`;
  return html`<th scope="col" class=${kind} aria-sort=${active ? (sort.down ? 'descending' : 'ascending') : 'none'}>
    <button type="button" data-term=${column.term} onClick=${() => onSort({ key: column.key, down: active ? !sort.down : !column.left })}>
      ${column.left ? html`${column.label}${arrow}` : html`${arrow}${column.label}`}</button></th>`;
}

export function Table({ columns, rows, rowKey, label, first, onOpen, stack, selected }) {
  const [sort, setSort] = useState(first || { key: null });
  const [top, setTop] = useState(0);
  const scroller = useRef(null);
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  const windowed = sorted.length > ALL_BELOW;
  const height = scroller.current ? scroller.current.clientHeight : 600;
  const from = windowed ? Math.max(0, Math.floor(top / ROW_PIXELS) - SPARE) : 0;
  const to = windowed ? Math.min(sorted.length, Math.ceil((top + height) / ROW_PIXELS) + SPARE) : sorted.length;
  useEffect(() => {
    const node = scroller.current;
    const look = () => setTop(Math.floor(node.scrollTop / ROW_PIXELS) * ROW_PIXELS);
    node.addEventListener('scroll', look, { passive: true });
    return () => node.removeEventListener('scroll', look);
  }, []);
  const spacer = pixels => pixels > 0 && html`<tr class="spacer" aria-hidden="true"><td colspan=${columns.length} style=${{ height: `${pixels}px` }}></td></tr>`;
  return html`<div class=${`table${stack ? ' stack' : ''}${windowed ? ' windowed' : ''}`} ref=${scroller} role="region" aria-label=${`${label}, table`} tabindex="0">
    <table aria-rowcount=${sorted.length + 1}>
      <thead><tr>${columns.map(column => html`<${Head} key=${column.key} column=${column} sort=${sort} onSort=${setSort} />`)}</tr></thead>
      <tbody>
        ${spacer(from * ROW_PIXELS)}
        ${sorted.slice(from, to).map(row => {
          const texts = columns.map(column => column.text ? column.text(row) : '');
          const marks = columns.map(column => column.mark ? column.mark(row) : '');
          const key = rowKey(row);
          return html`<${Row} key=${key} row=${row} columns=${columns} texts=${texts} marks=${marks} onOpen=${onOpen}
            selected=${selected === key} signature=${texts.join('\u0000') + marks.join('\u0000')} />`;
        })}
        ${spacer((sorted.length - to) * ROW_PIXELS)}
      </tbody>
    </table></div>`;
}

// SPDX-License-Identifier: Apache-2.0
// How numbers, times and words appear. What is not known is a dash, never a 0.
export const DASH = '–';
const THIN = '\u202f';

export const known = value => value !== null && value !== undefined && Number.isFinite(value);

/** So many significant digits, without exponent, thousands apart. */
export function digits(value, significant = 3) {
  if (!known(value)) return DASH;
  if (value === 0) return '0';
  const places = Math.max(0, significant - 1 - Math.floor(Math.log10(Math.abs(value))));
  return grouped(value.toFixed(Math.min(9, places)));
}

function grouped(text) {
  const [whole, fraction] = text.split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, THIN) + (fraction ? `.${fraction}` : '');
}

/** The same without zeros at the end, for what was chosen rather than measured. */
export function plain(value, significant = 3) {
  const text = digits(value, significant);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

export const whole = value => known(value) ? grouped(String(Math.round(value))) : DASH;
export const fixed = (value, places) => known(value) ? grouped(value.toFixed(places)) : DASH;

/** A duration in the unit that fits. */
export function seconds(value, write = digits) {
  if (!known(value)) return DASH;
  const size = Math.abs(value);
  if (size === 0) return `0${THIN}s`;
  if (size < 0.001) return `${write(value * 1e6)}${THIN}µs`;
  if (size < 0.9995) return `${write(value * 1e3)}${THIN}ms`;
  if (size < 120) return `${write(value)}${THIN}s`;
  if (size < 7200) return `${Math.floor(value / 60)}${THIN}min ${String(Math.round(value % 60)).padStart(2, '0')}${THIN}s`;
  return `${digits(value / 3600)}${THIN}h`;
}

/** A chosen duration or a tick of an axis. */
export const plainSeconds = value => seconds(value, plain);

export const percent = (value, places = 0) => known(value) ? `${(value * 100).toFixed(places)}${THIN}%` : DASH;
export const rate = value => known(value) ? `${digits(value)}${THIN}req/s` : DASH;
export const unit = (value, name) => value === DASH ? DASH : `${value}${THIN}${name}`;

/** A large count in thousands or millions. */
export function short(value) {
  if (!known(value)) return DASH;
  const size = Math.abs(value);
  if (size >= 1e9) return `${digits(value / 1e9)}${THIN}G`;
  if (size >= 1e6) return `${digits(value / 1e6)}${THIN}M`;
  if (size >= 1e4) return `${digits(value / 1e3)}${THIN}k`;
  return size >= 100 || Number.isInteger(value) ? whole(value) : digits(value);
}

/** Running text whose numbers keep their units, and their percent signs, on one line. */
export const prose = text => text ? text.replace(/(\d) (%|s|ms|min|h)(?![\w])/g, `$1${THIN}$2`) : '';

/** A detail of a problem as a sentence. */
export const sentence = text => text ? prose(text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')) : '';

export const words = code => code ? code.toLowerCase().replaceAll('_', ' ') : DASH;

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const SHORT_CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

export const clock = millis => known(millis) ? CLOCK.format(millis) : DASH;
export const shortClock = millis => known(millis) ? SHORT_CLOCK.format(millis) : DASH;

/** TTFT of a decode pool is its own part only. */
export const ttftName = role => role === 'decode' ? 'TTFT part' : 'TTFT';

// SPDX-License-Identifier: Apache-2.0
// What is shown, as a file: CSV of its numbers, PNG of its picture. Made in the browser; nothing is sent anywhere.
import { color } from './theme.js';

const MARGIN = 16;
const LINE = 22;
const FONT = '13px system-ui, sans-serif';
const BOLD = '600 13px system-ui, sans-serif';

function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `fpm-planner-${name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z${blob.type === 'image/png' ? '.png' : '.csv'}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function field(value) {
  if (value === null || value === undefined) return '';
  const text = String(value);
  // A text that a spreadsheet would run as a formula is made a text.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows of values, the first the names of the columns. */
export function saveCsv(name, rows) {
  save(name, new Blob([rows.map(row => row.map(field).join(',')).join('\r\n') + '\r\n'], { type: 'text/csv' }));
}

/** Pictures below each other: canvases with a caption, or tables as rows of texts, the first the names of the columns. */
export function savePng(name, title, blocks) {
  const ratio = Math.max(1, devicePixelRatio);
  const sheets = blocks.map(block => block.rows ? table(block, ratio) : block);
  const width = Math.max(...sheets.map(sheet => sheet.canvas.width / ratio)) + 2 * MARGIN;
  const height = sheets.reduce((sum, sheet) => sum + sheet.canvas.height / ratio + LINE + 8, LINE + 2 * MARGIN);
  const canvas = document.createElement('canvas');
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  pen.fillStyle = color('--panel');
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = color('--ink');
  pen.font = BOLD;
  pen.fillText(`${title} · ${location.host} · ${new Date().toISOString().slice(0, 19)}Z`, MARGIN, MARGIN + 12);
  let y = MARGIN + LINE;
  for (const sheet of sheets) {
    pen.fillStyle = color('--soft');
    pen.font = FONT;
    if (sheet.caption) pen.fillText(sheet.caption, MARGIN, y + 14);
    pen.drawImage(sheet.canvas, MARGIN, y + LINE, sheet.canvas.width / ratio, sheet.canvas.height / ratio);
    y += sheet.canvas.height / ratio + LINE + 8;
  }
  canvas.toBlob(blob => save(name, blob), 'image/png');
}

function table({ caption, rows }, ratio) {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  pen.font = FONT;
  const texts = rows.map(row => row.map(value => value === null || value === undefined ? '–' : String(value)));
  const widths = texts[0].map((_, i) => Math.min(420, Math.max(...texts.map(row => pen.measureText(row[i]).width))) + 18);
  canvas.width = Math.max(1, widths.reduce((sum, width) => sum + width, 0)) * ratio;
  canvas.height = (texts.length * LINE + 4) * ratio;
  pen.scale(ratio, ratio);
  texts.forEach((row, line) => {
    let x = 0;
    pen.font = line === 0 ? BOLD : FONT;
    pen.fillStyle = line === 0 ? color('--soft') : color('--ink');
    row.forEach((text, i) => {
      const right = i > 0 && /^[-–\d]/.test(texts[Math.min(1, texts.length - 1)][i]);
      pen.textAlign = right ? 'right' : 'left';
      pen.fillText(text, right ? x + widths[i] - 18 : x, line * LINE + 15, widths[i] - 6);
      x += widths[i];
    });
    pen.fillStyle = color('--line');
    pen.fillRect(0, (line + 1) * LINE, x, 1);
  });
  return { caption, canvas };
}

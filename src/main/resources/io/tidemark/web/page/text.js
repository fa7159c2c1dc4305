// Values as text. Pure functions: no document, no clock but the one that is passed.

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u;

/**
 * Text from strangers, on one line and bounded: control characters, direction overrides and characters without a glyph
 * are written as their code points, such as [U+202E].
 */
export function visible(text, longest = 80) {
  if (text === null || text === undefined) {
    return '';
  }
  const points = [...String(text).slice(0, 4 * longest + 4)];
  const shown = points.slice(0, longest).map((point, at) => shownPoint(points, at)).join('');
  return points.length > longest || String(text).length > 4 * longest + 4 ? shown + '…' : shown;
}

function shownPoint(points, at) {
  const point = points[at];
  if (!UNSAFE.test(point)) {
    return point;
  }
  const joins = point === '\u200d' && isPicture(points[at - 1], points[at - 2]) && isPicture(points[at + 1]);
  return joins ? point : `[U+${point.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

function isPicture(point, before) {
  const picture = /\p{Extended_Pictographic}/u;
  return point !== undefined && (picture.test(point) || (point === '\ufe0f' && before !== undefined && picture.test(before)));
}

/** A finite number of a number or decimal string; null where there is none. */
export function number(value) {
  if (value === null || value === undefined || value === '') {
    return null;
  }
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** A price with four significant digits or more; many zeros behind the point are counted in a subscript: 0.0₅1340. */
export function price(value) {
  const amount = number(value);
  if (amount === null) {
    return '–';
  }
  const size = Math.abs(amount);
  if (size === 0) {
    return '0';
  }
  if (size >= 1000) {
    return amount.toLocaleString('en-US', {minimumFractionDigits: 2, maximumFractionDigits: 2});
  }
  if (size >= 1) {
    return amount.toFixed(size >= 100 ? 2 : 4);
  }
  const rounded = Number(size.toPrecision(4));
  const zeros = -Math.floor(Math.log10(rounded)) - 1;
  if (zeros < 4) {
    return amount.toFixed(zeros + 4);
  }
  const digits = rounded.toExponential(3).slice(0, 5).replace('.', '');
  return `${amount < 0 ? '-' : ''}0.0${[...String(zeros)].map(digit => SUBSCRIPTS[digit]).join('')}${digits}`;
}

/** An amount of US dollars: $1.24M. */
export function dollars(value) {
  const amount = number(value);
  return amount === null ? '–' : `${amount < 0 ? '-' : ''}$${compact(Math.abs(amount))}`;
}

/** A number with three significant digits and a suffix: 1.24M. */
export function compact(value) {
  const amount = number(value);
  if (amount === null) {
    return '–';
  }
  const size = Math.abs(amount);
  for (const [limit, suffix] of [[1e12, 'T'], [1e9, 'B'], [1e6, 'M'], [1e3, 'K']]) {
    if (size >= limit) {
      const scaled = amount / limit;
      return scaled.toFixed(Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2) + suffix;
    }
  }
  return size >= 100 || Number.isInteger(amount) ? amount.toFixed(0) : amount.toFixed(2);
}

/** A whole number with separators: 12,345. */
export function count(value) {
  const amount = number(value);
  return amount === null ? '–' : Math.round(amount).toLocaleString('en-US');
}

/** A move in percent, with its sign: +12.3 %. */
export function percent(value, digits) {
  const amount = number(value);
  if (amount === null) {
    return '–';
  }
  const size = Math.abs(amount);
  const text = size >= 10_000 ? compact(size) : size.toFixed(digits ?? (size >= 100 ? 0 : size >= 10 ? 1 : 2));
  return `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${text}%`;
}

/** up, down or flat: the class of a move. */
export function direction(value) {
  const amount = number(value);
  return amount === null || amount === 0 ? 'flat' : amount > 0 ? 'up' : 'down';
}

/** A length of time in its largest unit, from milliseconds: 12s, 5m, 3h, 2d. */
export function span(millis) {
  if (millis === null || millis === undefined || !Number.isFinite(millis)) {
    return '–';
  }
  const seconds = Math.max(0, millis) / 1000;
  if (seconds < 10) {
    return `${seconds.toFixed(seconds < 1 ? 1 : 0)}s`;
  }
  if (seconds < 100) {
    return `${Math.floor(seconds)}s`;
  }
  if (seconds < 6000) {
    return `${Math.floor(seconds / 60)}m`;
  }
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** Milliseconds since 1970 of a time as the service or a record has it; null where there is none. */
export function millis(time) {
  if (time === null || time === undefined) {
    return null;
  }
  const at = typeof time === 'number' ? time : Date.parse(time);
  return Number.isFinite(at) ? at : null;
}

/** The local time of day: 16:20:31. */
export function clock(time) {
  return time === null || time === undefined ? '–' : new Date(time).toLocaleTimeString('en-GB');
}

/** The local day and time: 22 Nov 16:20. */
export function moment(time) {
  return time === null || time === undefined
    ? '–'
    : new Date(time).toLocaleString('en-GB', {day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit'});
}

/** An id or address, its middle left out: 0x88e6…5640. */
export function shortened(id, longest = 14) {
  const text = visible(id, 200);
  return text.length <= longest ? text : `${text.slice(0, longest - 5)}…${text.slice(-4)}`;
}

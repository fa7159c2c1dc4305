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

/** An address in the case that it has in topics: that of an EVM network in lower case, any other as it is. */
export function canonicalAddress(address) {
  return /^0[xX][0-9a-fA-F]{40}$/.test(address) ? address.toLowerCase() : address;
}

/** A finite number of a number or decimal string; null if there is none. */
export function number(value) {
  if (value === null || value === undefined || value === '') {
    return null;
  }
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

const MOST_DIGITS = 17; // what a double tells apart

/**
 * The leading digits of an amount at any size, rounded: 1,234.5, 0.00012345, and 2.0330e-11 below a ten millionth.
 * Whole digits are never cut.
 */
export function leading(amount, digits, leastPlaces = 0) {
  if (amount === 0) {
    return '0';
  }
  const size = exponentOf(amount, digits);
  if (size < -7 || size > 15) {
    return amount.toExponential(digits - 1);
  }
  const places = Math.max(leastPlaces, digits - 1 - size);
  return amount.toLocaleString('en-US', {minimumFractionDigits: places, maximumFractionDigits: places});
}

/** The power of ten of the first digit, after rounding. */
function exponentOf(amount, digits) {
  return Number(amount.toExponential(digits - 1).split('e')[1]);
}

/** A price: five leading digits, and cents at least. */
export function price(value, digits = 5) {
  const amount = number(value);
  return amount === null ? '–' : leading(amount, digits, Math.abs(amount) >= 1 ? 2 : 0);
}

/** An amount of US dollars: $1.24M. */
export function dollars(value, digits) {
  const amount = number(value);
  return amount === null ? '–' : `${amount < 0 ? '−' : ''}$${compact(Math.abs(amount), digits)}`;
}

const SUFFIXES = ['', 'K', 'M', 'B', 'T'];

/** A number with three leading digits and a suffix: 1.24M. A whole number below a thousand stays whole. */
export function compact(value, digits = 3) {
  const amount = number(value);
  if (amount === null) {
    return '–';
  }
  if (Number.isInteger(amount) && Math.abs(amount) < 1000) {
    return String(amount);
  }
  const thousands = Math.max(0, Math.floor(exponentOf(amount, digits) / 3));
  return thousands < SUFFIXES.length ? leading(amount / 1000 ** thousands, digits) + SUFFIXES[thousands] : leading(amount, digits);
}

/** The least number of leading digits, from `digits` on, with which texts of two values differ. */
export function apart(digits, textOf) {
  for (let more = digits; more <= MOST_DIGITS; more++) {
    const [before, after] = textOf(more);
    if (before !== after) {
      return [before, after];
    }
  }
  return null;
}

/** A whole number with separators: 12,345. */
export function count(value) {
  const amount = number(value);
  return amount === null ? '–' : Math.round(amount).toLocaleString('en-US');
}

/** So many of something: 1 holder, 12,345 holders. */
export function counted(value, one) {
  return `${count(value)} ${one}${number(value) === 1 ? '' : 's'}`;
}

/** A move in percent, with its sign and three leading digits, two below one percent: +12.3%, −0.25%. */
export function percent(value) {
  const amount = number(value);
  if (amount === null) {
    return '–';
  }
  const size = Math.abs(amount);
  return `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${size >= 10_000 ? compact(size) : leading(size, size < 1 ? 2 : 3)}%`;
}

/** up, down or flat: the class of a move. */
export function direction(value) {
  const amount = number(value);
  return amount === null || amount === 0 ? 'flat' : amount > 0 ? 'up' : 'down';
}

/** A length of time in its largest unit, from milliseconds: 12s, 5m, 3h, 2d, 3y. */
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
  if (seconds < 172_800) {
    return `${Math.floor(seconds / 3600)}h`;
  }
  const days = Math.floor(seconds / 86_400);
  return days < 730 ? `${days}d` : `${Math.floor(days / 365.25)}y`;
}

/** Milliseconds since 1970 of a time as the service or a record has it; null if there is none. */
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

/** The local day and time, with the year of another year: 22 Nov, 16:20. */
export function moment(time, now = Date.now()) {
  if (time === null || time === undefined) {
    return '–';
  }
  const at = new Date(time);
  const year = at.getFullYear() === new Date(now).getFullYear() ? {} : {year: 'numeric'};
  return at.toLocaleString('en-GB', {...year, day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit'});
}

/** The local time of day of a time today, otherwise its day and time: 16:20:31, or 22 Nov, 16:20. */
export function when(time, now = Date.now()) {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return time === null || time === undefined || isToday ? clock(time) : moment(time, now);
}

/** An id or address, its middle left out: 0x88e6…5640. */
export function shortened(id, longest = 14) {
  const text = visible(id, 200);
  return text.length <= longest ? text : `${text.slice(0, longest - 5)}…${text.slice(-4)}`;
}

// Candles as a chart wants them: closed ones and the open one, gaps filled with the last close. Pure functions.

/** The intervals of candles, each with its length in milliseconds, its name in UDF, and how far back a chart begins. */
export const INTERVALS = [
  {label: '1m', udf: '1', length: 60_000, from: '6h'},
  {label: '5m', udf: '5', length: 300_000, from: '24h'},
  {label: '15m', udf: '15', length: 900_000, from: '3d'},
  {label: '1h', udf: '60', length: 3_600_000, from: '14d'},
  {label: '4h', udf: '240', length: 14_400_000, from: '30d'},
  {label: '1d', udf: '1D', length: 86_400_000, from: '30d'},
];

const MOST_FILLED = 2_000;

/** The candles of one pool and interval, by their start; a closed candle is final, an open one is replaced. */
export class Candles {
  #closed = new Map();
  #open = null;

  constructor(interval) {
    this.interval = interval;
  }

  /** A closed candle. */
  add(candle) {
    this.#closed.set(candle.start, candle);
  }

  /** Candles of before, as a UDF server has them: {t (seconds), o, h, l, c, v (0 if it is not known)}. */
  addEarlier({t, o, h, l, c, v}) {
    t.forEach((time, at) => this.#closed.has(time * 1000) || this.add({
      start: time * 1000, open: o[at], high: h[at], low: l[at], close: c[at], volume_usd_estimate: v[at] || null, volume_usd_error: null,
    }));
  }

  /** The open candles of all intervals. */
  open(record) {
    this.#open = record === null ? null : record.candles.find(each => each.interval === this.interval.label) ?? null;
  }

  /** How many candles are closed. */
  get closed() {
    return this.#closed.size;
  }

  /**
   * In order of time, in seconds: {time, open, high, low, close, volume}. A window without a change is a flat bar at the
   * last close, up to the time of the newest observation; none follows the last candle if that time is not finite.
   */
  bars(observedAt) {
    const known = new Map(this.#closed);
    if (this.#open !== null && !known.has(this.#open.start)) {
      known.set(this.#open.start, this.#open);
    }
    const candles = [...known.values()].filter(complete).sort((a, b) => a.start - b.start);
    const bars = [];
    let last = null;
    for (const candle of candles) {
      fill(bars, last, candle.start, this.interval.length);
      last = candle;
      bars.push({
        time: candle.start / 1000, open: candle.open, high: candle.high, low: candle.low, close: candle.close,
        volume: candle.volume_usd_estimate, error: candle.volume_usd_error, changes: candle.changes,
        isOpen: candle === this.#open,
      });
    }
    if (Number.isFinite(observedAt)) {
      fill(bars, last, observedAt, this.interval.length);
    }
    return bars;
  }
}

function complete(candle) {
  return [candle.open, candle.high, candle.low, candle.close].every(value => Number.isFinite(value));
}

function fill(bars, last, until, length) {
  if (last === null) {
    return;
  }
  let start = last.start + length;
  if (until - start > MOST_FILLED * length) {
    return; // a hole of that size stays one
  }
  for (; start < until; start += length) {
    bars.push({time: start / 1000, open: last.close, high: last.close, low: last.close, close: last.close, volume: null,
      changes: 0, filled: true});
  }
}

/** How many digits behind the point a chart needs for prices of this size. */
export function precision(price) {
  if (!Number.isFinite(price) || price <= 0) {
    return 2;
  }
  return Math.max(2, Math.min(16, 4 - Math.floor(Math.log10(price)) - 1));
}

/** The mean of each value and the ones before it, `length` in all (simple moving average); null where there are fewer. */
export function average(values, length) {
  let sum = 0;
  return values.map((value, at) => {
    sum += value - (at >= length ? values[at - length] : 0);
    return at + 1 < length ? null : sum / length;
  });
}

/**
 * The relative strength index of each value, from 0 to 100, with Wilder's smoothing over `length` moves; null where there
 * are fewer.
 */
export function relativeStrength(values, length) {
  let [up, down] = [0, 0];
  return values.map((value, at) => {
    const step = at === 0 ? 0 : value - values[at - 1];
    const weight = Math.min(at, length);
    if (at > 0) {
      up += (Math.max(0, step) - up) / weight;
      down += (Math.max(0, -step) - down) / weight;
    }
    return at < length ? null : up + down === 0 ? 50 : 100 * up / (up + down);
  });
}

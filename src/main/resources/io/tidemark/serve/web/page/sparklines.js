// The prices of the last hour, by pool.

const HOUR = 3_600_000;

/** The closes of the five-minute candles of the last hour, by the id of the pool. */
export class LastHour {
  #closes = new Map();
  #now;

  constructor(scope, onChange) {
    this.#now = scope.now;
    scope.follow({topics: ['pool.candles.5m'], from: '1h', onRecord: record => {
      if (record.value !== null && Number.isFinite(record.value.close)) {
        const closes = this.#closes.get(record.key) ?? this.#closes.set(record.key, new Map()).get(record.key);
        closes.set(record.value.end, record.value.close);
        this.#forget(record.key, closes);
        onChange(record.key);
      }
    }});
    scope.every(60_000, () => this.#closes.forEach((closes, pool) => this.#forget(pool, closes)));
  }

  #forget(pool, closes) {
    const until = this.#now() - HOUR;
    [...closes.keys()].filter(end => end <= until).forEach(end => closes.delete(end));
    if (closes.size === 0) {
      this.#closes.delete(pool);
    }
  }

  /** The closes of a pool in order of time, and its price now. */
  prices(pool, price) {
    const since = this.#now() - HOUR;
    const closes = [...this.#closes.get(pool) ?? []].filter(([end]) => end > since).sort(([a], [b]) => a - b).map(([, close]) => close);
    return price === null ? closes : [...closes, price];
  }
}

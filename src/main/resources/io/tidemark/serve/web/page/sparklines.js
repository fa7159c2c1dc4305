// The prices of the last hour, by pool.

/** What is followed, the longer intervals first: topic, and how long closes are kept. */
const INTERVALS = [['pool.candles.5m', '1h', 3_600_000], ['pool.candles.1m', '10m', 600_000]];

/** The closes of the candles of the last hour, by the id of the pool: of five minutes, or of one for a young pool. */
export class LastHour {
  #now;
  #intervals;

  constructor(scope, onChange) {
    this.#now = scope.now;
    this.#intervals = INTERVALS.map(([topic, from, kept]) => {
      const pools = new Map();
      scope.follow({topics: [topic], from, onRecord: ({key, value}) => {
        if (value !== null && Number.isFinite(value.close)) {
          pools.set(key, [...(pools.get(key) ?? []).filter(each => each.end !== value.end), {end: value.end, close: value.close}]);
          onChange(key);
        }
      }});
      scope.every(60_000, () => [...pools].forEach(([key, closes]) => {
        const recent = closes.filter(each => each.end > this.#now() - kept);
        recent.length > 0 ? pools.set(key, recent) : pools.delete(key);
      }));
      return pools;
    });
  }

  /** The closes of a pool in order of time, and its price now. */
  prices(pool, price) {
    const [long, short] = this.#intervals.map(pools => pools.get(pool) ?? []);
    const closes = [...long.length > 1 ? long : short].sort((a, b) => a.end - b.end).map(each => each.close);
    return price === null ? closes : [...closes, price];
  }
}

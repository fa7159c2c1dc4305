// Pools from the lists of new pools, newest first, with what became of them since.

import {element, heading} from '../dom.js';
import {readPools} from '../pages.js';
import {LastHour} from '../sparklines.js';
import {LiveTable} from '../table.js';
import {millis} from '../text.js';
import {PoolFilters} from './pool-filters.js';
import {networksOf, poolColumns, poolRow, unknownPool, updateRow} from './pools.js';

const LONGEST_AGE = 6 * 3_600_000;
const MOST = 400;

export function show(scope) {
  const lastHour = new LastHour(scope, pool => table.get(pool) && table.set(pool, table.get(pool)));
  const filters = new PoolFilters(scope, ['network', 'exchange', 'liquidity', 'cap', 'volume', 'trades', 'age', 'text'], () => table.refresh());
  const table = new LiveTable({
    caption: 'New pools', empty: 'No new pool of the last 6 hours is known.', order: 'Age', descending: false, limit: 120, scope,
    filter: row => filters.passes(row, scope.now()),
    columns: poolColumns(scope, lastHour,
      ['Pool', 'Price', 'Age', '5m', '1h', 'Last hour', 'Trades 1h', 'Volume 1h', 'Liquidity', 'FDV']),
  });

  const put = row => {
    if (row.createdAt === null || scope.now() - row.createdAt > LONGEST_AGE) {
      return;
    }
    filters.see(row);
    table.set(row.id, row);
    if (table.size > MOST) {
      const rows = table.values();
      const left = rows.filter(each => !filters.passes(each, scope.now()));
      const oldest = (left.length > 0 ? left : rows).reduce((a, b) => a.createdAt < b.createdAt ? a : b);
      table.delete(oldest.id);
    }
  };

  const fill = async network => {
    try {
      const path = `/networks/${encodeURIComponent(network)}/new_pools`;
      const pools = await readPools(scope, `/api/v3/onchain${path}?include=dex`, target => target.startsWith(path));
      pools.forEach(pool => {
        const {changed} = table.get(pool.id) ?? {};
        put({...poolRow(pool, network), ...changed, changed});
      });
    } catch (failure) {
      table.sayProblem(`The list of ${network} cannot be read: ${failure.message}`);
    }
  };

  const filled = new Set();
  scope.onStatus(status => networksOf(status, 'new_pools').filter(each => !filled.has(each)).forEach(network => {
    filled.add(network);
    fill(network);
  }));
  scope.follow({
    topics: ['pool.changes'], from: '2m',
    onRecord: record => {
      const change = record.value;
      if (change === null) {
        return;
      }
      const known = table.get(record.key);
      const created = millis(change.about?.created_at);
      if (known || change.appeared?.kind === 'created' || (created !== null && scope.now() - created < 900_000)) {
        put(updateRow(known ?? unknownPool(change.network, change.address), change));
      }
    },
  });
  scope.every(1000, () => {
    table.values().filter(row => scope.now() - row.createdAt > LONGEST_AGE).forEach(row => table.delete(row.id));
    table.refresh();
  });

  return element('section', {},
    heading('New pools', 'Pools as they are created, from the watched lists of new pools: the newest 400 of the last 6 hours, first those that pass the filters. Age counts from the pool’s own time of creation.',
      table.tools()),
    filters.node, table.node);
}

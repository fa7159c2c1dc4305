// What Tidemark knows by a name, symbol or address: pools from the mirror, and coins, treasuries and platforms.

import {element, heading, name, nameLink} from '../dom.js';
import {readPools} from '../pages.js';
import {LastHour} from '../sparklines.js';
import {LiveTable} from '../table.js';
import {visible} from '../text.js';
import {PoolFilters} from './pool-filters.js';
import {networksOf, poolColumns, poolRow} from './pools.js';

export function show(scope) {
  const text = scope.parameters.path[0] ?? '';
  const lastHour = new LastHour(scope, pool => table.get(pool) && table.set(pool, table.get(pool)));
  const filters = new PoolFilters(scope, ['network', 'exchange', 'liquidity', 'cap', 'volume', 'trades', 'age'], () => table.refresh());
  const table = new LiveTable({
    caption: 'Pools found', empty: 'Searching.', order: 'Liquidity', scope, filter: row => filters.passes(row, scope.now()),
    columns: poolColumns(scope, lastHour,
      ['Pool', 'Price', 'Age', '5m', '1h', '24h', 'Last hour', 'Trades 24h', 'Volume 24h', 'Liquidity', 'FDV']),
  });
  const others = new LiveTable({
    caption: 'Others found', empty: 'No known coin, treasury or platform has such a name, and no exchange at which a coin is cheapest or dearest.', order: 'Kind', descending: false, scope,
    parameter: 'others',
    columns: [
      {title: 'Kind', sort: row => row.kind, cell: row => row.kind},
      {title: 'Name', kind: 'wide', sort: row => row.name, cell: row => nameLink(row.name, row.href, 60)},
    ],
  });
  const searched = text.toLowerCase();
  const offer = (kind, found, href) => {
    if (found && found.toLowerCase().includes(searched)) {
      others.set(`${kind}/${found}`, {kind, name: found, href});
    }
  };
  const coin = id => offer('coin', id, `#/coin/${encodeURIComponent(id)}`);
  const findPools = async networks => {
    try {
      const pools = await readPools(scope, `/api/v3/onchain/search/pools?query=${encodeURIComponent(text)}&include=dex`, () => false);
      pools.forEach(pool => {
        const network = networks.filter(each => pool.id === `${each}_${pool.attributes.address}`)[0] ?? null;
        const row = poolRow(pool, network);
        filters.see(row);
        table.set(pool.id, row);
      });
      table.sayIfEmpty('No known pool has such a name, symbol or address.');
    } catch (failure) {
      table.sayProblem(visible(failure.message, 300));
    }
  };
  const findPlatforms = async () => {
    try {
      (await scope.json('/api/v3/asset_platforms')).forEach(platform => offer('platform', platform.name || platform.id, null));
    } catch {
      // platforms are not watched: nothing is known of them
    }
  };
  let hasSearched = false;
  scope.onStatus(status => {
    if (!hasSearched) {
      hasSearched = true;
      findPools(networksOf(status, null));
    }
  });
  findPlatforms();
  scope.follow({topics: ['venues', 'derivatives', 'treasuries'], from: 'beginning', onRecord: record => {
    if (record.value !== null) {
      coin(record.value.coin);
      for (const venue of [record.value.cheapest, record.value.dearest]) {
        offer('exchange', venue?.market, `#/coin/${encodeURIComponent(record.value.coin)}`);
      }
      (record.value.largest ?? []).forEach(holder => offer('treasury', holder.name || holder.entity, '#/treasuries'));
    }
  }});

  return element('section.stacked', {},
    heading('Found', null, element('span.muted', {}, 'Among all that Tidemark knows, for ', name(text, 60))),
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Pools'), table.tools()), filters.node, table.node),
    element('section', {}, element('h2', {}, 'Coins, treasuries, exchanges and platforms'), others.node));
}

// My list: the pools, coins and treasuries that were marked in this browser.

import {chip, element, heading, move, name, notice} from '../dom.js';
import {LastHour} from '../sparklines.js';
import {LiveTable} from '../table.js';
import {dollars, leading, price, visible} from '../text.js';
import {marked, onMarked, star} from '../watchlist.js';
import {holdersOf, holdersTable} from './holders.js';
import {poolColumns, poolRow, unknownPool, updateRow} from './pools.js';

export function show(scope) {
  const lastHour = new LastHour(scope, pool => pools.get(pool) && pools.set(pool, pools.get(pool)));
  const pools = new LiveTable({
    caption: 'My pools', empty: 'No pool is marked. Mark one by its star, in a table or in its own view.', order: 'Pool', descending: false, scope,
    columns: poolColumns(scope, lastHour,
      ['Pool', 'Price', 'Age', '5m', '1h', '24h', 'Last hour', 'Trades 1h', 'Volume 24h', 'Liquidity', 'FDV']),
  });
  const coins = new LiveTable({
    caption: 'My coins', empty: 'No coin is marked.', order: 'Coin', descending: false, scope, parameter: 'coins',
    columns: [
      {title: 'Coin', kind: 'wide', always: true, sort: row => row.coin, cell: row => element('span.named', {},
        star({kind: 'coin', coin: row.coin, name: row.coin}), element('a', {href: `#/coin/${encodeURIComponent(row.coin)}`}, name(row.coin, 40)))},
      {title: 'Median', kind: 'number', flash: true, sort: row => row.venues?.median_usd, cell: row => price(row.venues?.median_usd)},
      {title: 'Spread', kind: 'number', sort: row => row.venues?.spread_percent,
        cell: row => row.venues?.spread_percent === undefined || row.venues.spread_percent === null ? '–' : `${leading(row.venues.spread_percent, 3)}%`},
      {title: 'Volume', kind: 'number', sort: row => row.venues?.volume_usd, cell: row => dollars(row.venues?.volume_usd)},
      {title: 'Funding', kind: 'number', sort: row => row.derivatives?.funding_rate, cell: row => move(row.derivatives?.funding_rate)},
      {title: 'State', cell: row => row.venues || row.derivatives ? '' : chip('no aggregate yet', 'warn')},
    ],
  });

  const aggregates = new Map(); // newest record of each topic of aggregates, by coin
  const holdings = holdersTable(scope, 'My treasuries', 'No treasury is marked, or none of them is among the largest holders of a coin.');
  const largest = new Map(); // holdings, by coin
  const showHoldings = () => {
    const entities = new Set(marked().filter(item => item.kind === 'treasury').map(item => item.entity));
    holdings.clear();
    [...largest.values()].flat().filter(holder => entities.has(holder.entity)).forEach(holder => holdings.set(holder.id, holder));
  };

  const readPool = async ({network, address, name: known}) => {
    const id = `${network}_${address}`;
    if (!pools.get(id)) {
      pools.set(id, unknownPool(network, address, known));
    }
    try {
      const {data} = await scope.json(`/api/v3/onchain/networks/${encodeURIComponent(network)}/pools/${encodeURIComponent(address)}?include=dex`);
      unread.delete(id);
      if (pools.get(id)) { // still marked
        const {changed} = pools.get(id);
        pools.set(id, {...poolRow(data, network), ...changed, changed});
      }
    } catch (failure) {
      unread.add(id);
      problem.textContent = `Some pools are not known to this server now: ${visible(failure.message, 200)}`;
    }
    problem.hidden = unread.size === 0;
  };
  const problem = element('p.notice.box.warn', {hidden: true});
  const unread = new Set();
  const read = () => {
    const items = marked();
    const wanted = new Set(items.filter(item => item.kind !== 'treasury')
      .map(item => item.kind === 'pool' ? `${item.network}_${item.address}` : item.coin));
    pools.values().filter(row => !wanted.has(row.id)).forEach(row => pools.delete(row.id));
    [...unread].filter(id => !wanted.has(id)).forEach(id => unread.delete(id));
    problem.hidden = unread.size === 0;
    coins.values().filter(row => !wanted.has(row.coin)).forEach(row => coins.delete(row.coin));
    items.filter(item => item.kind === 'pool' && !pools.get(`${item.network}_${item.address}`)).forEach(readPool);
    items.filter(item => item.kind === 'coin' && !coins.get(item.coin)).forEach(item =>
      coins.set(item.coin, {coin: item.coin, ...aggregates.get(item.coin)}));
    showHoldings();
    followFirst();
    showTitle();
  };
  const firstPool = () => marked().filter(item => item.kind === 'pool').map(item => pools.get(`${item.network}_${item.address}`)).find(Boolean);
  const update = record => {
    const row = pools.get(record.key);
    if (row !== undefined && record.value !== null) {
      pools.set(record.key, updateRow(row, record.value));
    }
  };
  let titled; // the id of the pool in the tab's title
  let stopTitled = () => {};
  /** Follows the pool in the tab's title also while the tab is hidden. */
  const followFirst = () => {
    const key = firstPool()?.id;
    if (key !== titled) {
      titled = key;
      stopTitled();
      stopTitled = key === undefined ? () => {}
        : scope.follow({topics: ['pool.changes'], from: '1m', key, isKept: true, onRecord: update});
    }
  };
  const showTitle = () => {
    const first = firstPool();
    scope.title(first === undefined || first.price === null ? 'My list' : `${price(first.price)} ${visible(first.name, 20)}${
      first.moves.h1 === null || first.moves.h1 === undefined ? '' : ` ${move(first.moves.h1).textContent}`}`);
  };

  scope.onEnd(onMarked(read));
  read();
  scope.follow({topics: ['pool.changes'], from: '1m', onRecord: record => record.key !== titled && update(record)});
  scope.follow({topics: ['venues', 'derivatives'], from: 'beginning', onRecord: record => {
    aggregates.set(record.key, {...aggregates.get(record.key), [record.topic]: record.value});
    if (coins.get(record.key) !== undefined) {
      coins.set(record.key, {coin: record.key, ...aggregates.get(record.key)});
    }
  }});
  scope.follow({topics: ['treasuries'], from: 'beginning', onRecord: record => {
    largest.set(record.key, record.value === null ? [] : holdersOf(record.value));
    showHoldings();
  }});
  scope.every(30_000, () => marked().filter(item => unread.has(`${item.network}_${item.address}`)).forEach(readPool));
  scope.every(1000, () => {
    pools.refresh();
    showTitle();
  });

  return element('section.stacked', {},
    heading('My list', 'What is marked with a star in this browser. The tab’s title has the price and the hour’s move of the first pool.'),
    problem,
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Pools'), pools.tools()), pools.node),
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Coins'), coins.tools()), coins.node),
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Treasuries'), holdings.tools()), holdings.node),
    marked().length > 0 ? null : notice('The list is empty. It is kept in this browser and is sent nowhere.'));
}

// Pools from the lists of new pools, newest first, with what became of them since.

import {poolLink} from '../change.js';
import {LiveTable, chip, element, heading, move, nameLink, select, textField} from '../dom.js';
import {compact, dollars, millis, number, price, span} from '../text.js';
import {networksOf, poolRow, updateRow} from './pools.js';

const LONGEST_AGE = 6 * 3_600_000;
const MOST = 400;

export function show(scope) {
  const filter = {network: '', text: '', least: 0};
  const networks = new Set();
  const table = new LiveTable({
    caption: 'New pools, newest first', empty: 'No new pool has been observed yet.', order: 0, descending: false, limit: 120,
    filter: row => (filter.network === '' || row.network === filter.network)
      && (filter.text === '' || row.searched.includes(filter.text)) && (row.reserve ?? 0) >= filter.least,
    columns: [
      {title: 'Age', kind: 'number', sort: row => -(row.createdAt ?? 0), cell: row => span(scope.now() - row.createdAt)},
      {title: 'Pool', kind: 'wide', cell: row => [nameLink(row.name, poolLink(row.network, row.address)),
        element('small.muted', {}, ` ${row.network}${row.dex ? ' · ' + row.dex : ''}`)]},
      {title: 'Price', kind: 'number', flash: true, cell: row => price(row.price)},
      {title: '5m', kind: 'number', sort: row => row.moves.m5, cell: row => move(row.moves.m5)},
      {title: '1h', kind: 'number minor', sort: row => row.moves.h1, cell: row => move(row.moves.h1)},
      {title: 'Reserve', kind: 'number', flash: true, sort: row => row.reserve, cell: row => dollars(row.reserve)},
      {title: 'Volume 1h', kind: 'number minor', sort: row => row.volume, cell: row => dollars(row.volume)},
      {title: 'Buys / sells', kind: 'number minor', cell: row => row.buys === null ? '–' : [
        element('span.up', {}, compact(row.buys)), ' / ', element('span.down', {}, compact(row.sells))]},
      {title: 'Observed after', kind: 'number minor', sort: row => row.observedAfter,
        cell: row => row.observedAfter === null ? '–' : span(row.observedAfter)},
      {title: '', kind: 'minor', cell: row => row.removed ? chip('removed', 'bad') : row.visible === false ? chip('not visible', 'warn') : ''},
    ],
  });
  const networkSelect = select('Network', [['', 'All']], '', value => {
    filter.network = value;
    table.refresh();
  });

  const put = row => {
    if (row.createdAt === null || scope.now() - row.createdAt > LONGEST_AGE) {
      return;
    }
    if (!networks.has(row.network)) {
      networks.add(row.network);
      networkSelect.lastElementChild.append(element('option', {value: row.network}, row.network));
    }
    table.set(row.id, row);
    if (table.size > MOST) {
      const oldest = table.values().reduce((a, b) => a.createdAt < b.createdAt ? a : b);
      table.delete(oldest.id);
    }
  };

  const fill = async network => {
    try {
      const body = await scope.json(`/api/v3/onchain/networks/${encodeURIComponent(network)}/new_pools?include=dex`);
      body.data.forEach(pool => {
        if (!table.get(pool.id)) {
          put(poolRow(pool, network));
        }
      });
    } catch (failure) {
      table.say(`The list of ${network} cannot be read: ${failure.message}`);
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
        put(updateRow(known ?? {id: record.key, network: change.network, address: change.address, moves: {}}, change));
      }
    },
  });
  scope.every(1000, () => table.refresh());

  return element('section', {},
    heading('New pools', 'Pools as they are created, from the watched lists of new pools. Age counts from the pool’s own time of creation.'),
    element('div.filters', {}, networkSelect,
      select('Reserve', [['0', 'Any'], ['1000', '$1K or more'], ['10000', '$10K or more'], ['50000', '$50K or more']], '0', value => {
        filter.least = number(value);
        table.refresh();
      }),
      textField('Name', 'name, symbol or address', text => {
        filter.text = text;
        table.refresh();
      })),
    table.node);
}

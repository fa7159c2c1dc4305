// Who holds how much of a coin.

import {chip, element, name} from '../dom.js';
import {LiveTable} from '../table.js';
import {compact, dollars, visible} from '../text.js';
import {star} from '../watchlist.js';

/** A table of holdings, as holdersOf makes them, by their id. */
export function holdersTable(scope, caption, empty) {
  return new LiveTable({
    caption, empty, order: 'Worth', scope, parameter: 'holders', limit: 100,
    columns: [
      {title: 'Entity', kind: 'wide', always: true, sort: row => row.name || row.entity, cell: row => element('span.named', {},
        star({kind: 'treasury', entity: row.entity, name: row.name || row.entity}), name(row.name || row.entity, 40))},
      {title: 'Coin', sort: row => row.coin, cell: row => element('a', {href: `#/coin/${encodeURIComponent(row.coin)}`}, element('bdi', {}, visible(row.coin, 24)))},
      {title: 'Worth', kind: 'number', flash: true, sort: row => row.value_usd, cell: row => dollars(row.value_usd)},
      {title: 'Amount', kind: 'number', flash: true, sort: row => row.amount, cell: row => compact(row.amount)},
      {title: 'State', kind: 'minor', sort: row => Number(row.visible), csv: row => row.visible ? '' : 'not visible',
        cell: row => row.visible ? '' : chip('not visible', 'warn')},
    ],
  });
}

/** The largest holdings of an aggregate of treasuries. */
export function holdersOf(treasuries) {
  return treasuries.largest.map(holder => ({...holder, id: `${holder.entity}/${treasuries.coin}`, coin: treasuries.coin}));
}

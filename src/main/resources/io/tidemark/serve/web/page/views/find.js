// Pools that the mirror finds by name, symbol or address.

import {poolLink} from '../change.js';
import {LiveTable, element, heading, move, name, nameLink} from '../dom.js';
import {dollars, price, visible} from '../text.js';
import {networksOf, poolRow} from './pools.js';

export function show(scope) {
  const text = scope.parameters.path[0] ?? '';
  const table = new LiveTable({
    caption: 'Pools found', empty: 'Searching.',
    columns: [
      {title: 'Pool', kind: 'wide', cell: row => [nameLink(row.name, row.network ? poolLink(row.network, row.address) : null),
        element('small.muted', {}, ` ${row.network ?? ''}${row.dex ? ' · ' + row.dex : ''}`)]},
      {title: 'Price', kind: 'number', cell: row => price(row.price)},
      {title: '24h', kind: 'number', cell: row => move(row.moves.h24)},
      {title: 'Reserve', kind: 'number', cell: row => dollars(row.reserve)},
      {title: 'Volume 24h', kind: 'number minor', cell: row => dollars(row.volumeDay)},
    ],
  });
  let searched = false;
  scope.onStatus(async status => {
    if (searched) {
      return;
    }
    searched = true;
    const networks = networksOf(status, null);
    try {
      const body = await scope.json(`/api/v3/onchain/search/pools?query=${encodeURIComponent(text)}&include=dex`);
      body.data.forEach(pool => {
        const network = networks.filter(each => pool.id === `${each}_${pool.attributes.address}`)[0] ?? null;
        table.set(pool.id, poolRow(pool, network));
      });
      table.say('No known pool has such a name, symbol or address.');
    } catch (failure) {
      table.say(visible(failure.message, 300));
    }
  });
  return element('section', {}, element('div', {}, heading('Pools found', null)),
    element('p.muted', {}, 'Among the pools that Tidemark knows, for ', name(text, 60)), element('br'), table.node);
}

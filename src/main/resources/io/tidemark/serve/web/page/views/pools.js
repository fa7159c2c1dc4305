// Pools as rows of tables: from an answer of the mirror, and from changes; their columns.

import {poolLink} from '../change.js';
import {targetsOf} from '../condition.js';
import {chip, element, identicon, move, nameLink, sparkline, splitBar} from '../dom.js';
import {compact, dollars, millis, number, price, shortened, span} from '../text.js';
import {star} from '../watchlist.js';

const WINDOWS = ['m5', 'h1', 'h6', 'h24'];
const TITLES = {m5: '5m', h1: '1h', h6: '6h', h24: '24h'};

/** The networks whose targets have an operation, by the status of the server. */
export function networksOf(status, operation) {
  const found = new Set();
  for (const target of targetsOf(status)) {
    const network = /\/networks\/([^/]+)\//.exec(target.target)?.[1];
    if (network !== undefined && (operation === null || target.operation === operation)) {
      found.add(decodeURIComponent(network));
    }
  }
  return [...found].sort();
}

/** A pool of an answer, as a row. */
export function poolRow(pool, network) {
  const attributes = pool.attributes;
  return {
    id: pool.id, network, address: attributes.address,
    dex: pool.relationships?.dex?.data?.id ?? null,
    ...described(attributes.name, attributes.address),
    createdAt: millis(attributes.pool_created_at),
    price: number(attributes.base_token_price_usd),
    reserve: number(attributes.reserve_in_usd),
    observedAfter: null,
    ...valued(attributes),
    ...active(attributes),
  };
}

/** A pool of which only the name is known, as a row. */
export function unknownPool(network, address, name = address) {
  return {id: `${network}_${address}`, network, address, dex: null, ...described(name, address), createdAt: null, price: null,
    reserve: null, observedAfter: null, ...valued({}), ...active({})};
}

function described(name, address) {
  return {name: name || address, searched: `${name} ${address}`.toLowerCase()};
}

function valued(valuation) {
  return {fdv: number(valuation?.fdv_usd), marketCap: number(valuation?.market_cap_usd)};
}

function active(activity) {
  return {
    moves: windows(activity?.price_change_percentage, number),
    volumes: windows(activity?.volume_usd, number),
    trades: windows(activity?.transactions, each => each ?? null),
  };
}

function windows(values, read) {
  return values ? Object.fromEntries(WINDOWS.map(window => [window, read(values[window])])) : {};
}

/**
 * The row after a change of its pool. A change carries facets whole, so an attribute that is null is not known any more.
 * What the changes of a row said is also its member `changed`, which stays if the mirror answers later.
 */
export function updateRow(row, change) {
  const {about} = change;
  const createdAt = millis(about.created_at) ?? row.createdAt ?? null;
  const changed = {
    ...row.changed,
    ...described(about.name || row.name, change.address),
    dex: about.dex ?? row.dex ?? null,
    createdAt,
    price: about.price_usd ?? null,
    reserve: about.reserve_usd ?? null,
    ...(change.valuation && valued(change.valuation.after)),
    ...(change.activity && active(change.activity.after)),
    observedAfter: createdAt !== null && about.first_observed_at ? about.first_observed_at - createdAt : row.observedAfter ?? null,
    removed: Boolean(change.removed),
    ...(change.visibility && {visible: change.visibility.visible}),
  };
  return {...row, ...changed, changed};
}

/**
 * The columns of pools. Those that are not among `shown` are left out until somebody chooses them.
 *
 * @param lastHour prices of the last hour, for the line of each pool
 */
export function poolColumns(scope, lastHour, shown) {
  const columns = [
    {title: '', cell: row => row.network === null ? '' : star({kind: 'pool', network: row.network, address: row.address, name: row.name}),
      always: true, isMark: true},
    {title: 'Pool', kind: 'wide', sort: row => row.name.toLowerCase(), csv: row => row.name, cell: row => element('span.named', {},
      identicon(row.address), nameLink(row.name, row.network === null ? null : poolLink(row.network, row.address), 40),
      row.removed ? chip('removed', 'bad') : row.visible === false ? chip('not visible', 'warn') : null,
      element('small.muted', {}, [row.network, row.dex, shortened(row.address, 9)].filter(Boolean).join(' · ')))},
    {title: 'Network', kind: 'minor', sort: row => row.network, cell: row => row.network ?? '–'},
    {title: 'Exchange', kind: 'minor', sort: row => row.dex, cell: row => row.dex ?? '–'},
    {title: 'Address', kind: 'minor', sort: row => row.address, cell: row => element('bdi', {title: row.address}, shortened(row.address, 14))},
    {title: 'Price', kind: 'number', flash: true, sort: row => row.price, cell: row => price(row.price)},
    {title: 'Age', kind: 'number minor', sort: row => row.createdAt === null ? null : -row.createdAt,
      csv: row => row.createdAt === null ? '' : new Date(row.createdAt).toISOString(),
      cell: row => row.createdAt === null ? '–' : span(scope.now() - row.createdAt)},
    ...WINDOWS.map(window => ({title: TITLES[window], kind: window === 'h1' ? 'number' : 'number minor',
      sort: row => row.moves[window], cell: row => move(row.moves[window])})),
    {title: 'Last hour', kind: 'minor', always: true, csv: () => '',
      cell: row => sparkline(lastHour.prices(row.id, row.price))},
    ...WINDOWS.map(window => ({title: `Trades ${TITLES[window]}`, kind: 'number minor',
      sort: row => row.trades[window] ? row.trades[window].buys + row.trades[window].sells : null,
      cell: row => sides(row.trades[window], 'buys', 'sells')})),
    {title: 'Traders 1h', kind: 'number minor', sort: row => row.trades.h1 ? row.trades.h1.buyers + row.trades.h1.sellers : null,
      cell: row => sides(row.trades.h1, 'buyers', 'sellers')},
    ...WINDOWS.map(window => ({title: `Volume ${TITLES[window]}`, kind: 'number minor', flash: true,
      sort: row => row.volumes[window], cell: row => dollars(row.volumes[window])})),
    {title: 'Liquidity', kind: 'number minor', flash: true, sort: row => row.reserve, cell: row => dollars(row.reserve)},
    {title: 'FDV', kind: 'number minor', sort: row => row.fdv, cell: row => dollars(row.fdv)},
    {title: 'Market cap', kind: 'number minor', sort: row => row.marketCap, cell: row => dollars(row.marketCap)},
    {title: 'Observed after', kind: 'number minor', sort: row => row.observedAfter,
      cell: row => row.observedAfter === null ? '–' : span(row.observedAfter)},
  ];
  return columns.map(column => ({...column, optional: !column.isMark && !shown.includes(column.title)}));
}

function sides(counts, more, less) {
  const [up, down] = [number(counts?.[more]), number(counts?.[less])];
  return up === null || down === null ? '–' : element('span', {title: `${up} ${more}, ${down} ${less}`},
    splitBar(up, down), element('span.up', {}, compact(up)), ' / ', element('span.down', {}, compact(down)));
}

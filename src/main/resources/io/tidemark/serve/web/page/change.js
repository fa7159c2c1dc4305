// What a change record says: which facets and attributes changed. Pure functions.

import {apart, compact, dollars, leading, number, percent, price, visible} from './text.js';

const KINDS = {
  'pool.changes': 'pool', 'token.changes': 'token', 'ticker.changes': 'ticker', 'contract.changes': 'contract',
  'ranking.changes': 'ranking', 'holding.changes': 'holding', 'treasury.changes': 'treasury',
  'global.changes': 'global', 'platform.changes': 'platform', 'coin-day.changes': 'coin-day',
  'derivatives-exchange.changes': 'derivatives-exchange',
};

/** Facets, those first that a trader asks for first: price, liquidity, volume. */
const ORDER = ['price', 'position', 'order', 'funding', 'open_interest', 'basis', 'liquidity', 'volume', 'dominance',
  'spread', 'depth', 'quality', 'launchpad', 'pool_price', 'token_price', 'composition', 'lock', 'activity', 'flow',
  'market_cap', 'valuation', 'trade', 'day', 'converted'];

/** Of a facet, the attribute that stands for it: the first of these that changed. */
const MAIN = ['base_token_price_usd', 'last', 'price_usd', 'amount', 'reserve_in_usd', 'total_reserve_in_usd',
  'funding_rate', 'open_interest_usd', 'index_basis_percentage', 'volume_usd.h24', 'volume_usd.h1', 'volume_usd.m5',
  'market_cap_usd', 'fdv_usd', 'total_treasury_value_usd', 'current_value_usd', 'bid_ask_spread_percentage'];

/** Attributes that are a price: their move is shown as the move of the change. */
const PRICES = ['base_token_price_usd', 'last', 'price_usd'];

/** Facets of pools and tokens that follow from others: caps from the price, windows from time alone. */
const FOLLOWING = ['valuation', 'activity', 'flow', 'token_price', 'pool_price', 'trade', 'extra'];

/** The kind of resource of a topic of changes; null for other topics. */
export function kindOf(topic) {
  return KINDS[topic] ?? null;
}

/** Attributes by their paths: {"volume_usd.m5": "12"}. */
function flatten(record, path = '', into = {}) {
  for (const [name, value] of Object.entries(record ?? {})) {
    const here = path ? `${path}.${name}` : name;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      flatten(value, here, into);
    } else {
      into[here] = value;
    }
  }
  return into;
}

/** The attributes of a facet whose values differ. */
function differences(facet) {
  const before = flatten(facet.before);
  const after = flatten(facet.after);
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter(name => !isSame(before[name] ?? null, after[name] ?? null))
    .map(name => ({name, before: before[name] ?? null, after: after[name] ?? null}));
}

/** Lists are compared as text. */
function isSame(before, after) {
  return before === after || (typeof before === 'object' && JSON.stringify(before) === JSON.stringify(after));
}

function isFacet(value) {
  return value !== null && typeof value === 'object' && 'before' in value && 'after' in value;
}

/**
 * The facets of a change that differ, each with its attributes that differ; the most wanted first. A facet without a
 * value before is complete: its attributes were not known.
 */
export function changedFacets(change) {
  const facets = Object.entries(change)
    .filter(([, value]) => isFacet(value))
    .map(([name, facet]) => ({name, facet, attributes: differences(facet)}))
    .filter(facet => facet.attributes.length > 0);
  if (change.order) {
    facets.push({name: 'order', facet: change.order, attributes: []});
  }
  const place = facet => (ORDER.indexOf(facet.name) + 1 || ORDER.length + 1);
  return facets.sort((a, b) => place(a) - place(b));
}

/** The attribute that stands for a facet. */
function mainAttribute(facet) {
  return MAIN.map(name => facet.attributes.find(each => each.name === name)).find(Boolean) ?? facet.attributes[0] ?? null;
}

/** The move of an attribute in percent; null if it cannot be computed. */
export function moveOf(attribute) {
  const before = number(attribute.before);
  const after = number(attribute.after);
  return typeof attribute.after === 'boolean' || before === null || after === null || before === 0
    ? null : 100 * (after - before) / Math.abs(before);
}

/** The values of an attribute before and after, formatted by its name, with as many digits as tell them apart. */
export function beforeAndAfter({name, before, after}) {
  return apart(0, more => [attributeText(name, before, more), attributeText(name, after, more)])
    ?? [visible(plain(before), 400), visible(plain(after), 400)];
}

/** A value of an attribute, formatted by its name, with so many digits more than usual. */
function attributeText(name, value, more) {
  if (value === null) {
    return '–';
  }
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  const amount = number(value);
  if (amount === null || typeof value === 'object') {
    return visible(plain(value), 60);
  }
  if (/percent|funding_rate|dominance/.test(name)) {
    return `${leading(amount, 3 + more)}%`;
  }
  if (/price|^last$|native|index$|converted_last/.test(name)) {
    return price(amount, 5 + more);
  }
  if (/usd/.test(name)) {
    return dollars(amount, 3 + more);
  }
  return Number.isInteger(amount) && Math.abs(amount) < 1e6 ? amount.toLocaleString('en-US') : compact(amount, 3 + more);
}

function plain(value) {
  return value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What the resource of a change is called, for people. */
export function nameOf(kind, change, key) {
  const about = change.about ?? {};
  switch (kind) {
    case 'pool':
    case 'token':
    case 'treasury':
      return about.name || about.symbol || key;
    case 'ticker':
      return `${about.name || change.coin} on ${about.market_name ?? change.market}: ${change.base}/${change.target}`;
    case 'contract':
      return `${change.symbol} on ${change.exchange}`;
    case 'holding':
      return `${about.entity_name || change.entity}: ${change.coin_id}`;
    case 'global':
      return 'All coins';
    default:
      return about.name || key;
  }
}

/** Where the page shows the resource; null if it has no view of its own. */
export function linkOf(kind, change, key) {
  switch (kind) {
    case 'pool':
      return poolLink(change.network, change.address);
    case 'ticker':
      return `#/coin/${encodeURIComponent(change.coin)}`;
    case 'contract':
      return change.about?.coin_id ? `#/coin/${encodeURIComponent(change.about.coin_id)}` : '#/coins';
    case 'holding':
    case 'treasury':
      return '#/treasuries';
    case 'global':
      return '#/dominance';
    case 'ranking':
      return key.includes('/trending/') ? '#/trending' : key.endsWith('/new') ? '#/new' : null;
    default:
      return null;
  }
}

/** The address of a pool's own view. */
export function poolLink(network, address) {
  return `#/pool/${encodeURIComponent(network)}/${encodeURIComponent(address)}`;
}

/**
 * One line on a change: {text, label, before, after, move (of a price), otherMove (of another figure), more, tone}.
 */
export function summary(kind, change, facets = change === null ? [] : changedFacets(change)) {
  if (change === null) {
    return {text: 'evicted', tone: 'down'};
  }
  if (change.removed) {
    return {text: `removed: ${visible(change.removed.reason)}`, tone: 'down'};
  }
  if (change.appeared) {
    const appeared = change.appeared;
    const place = appeared.list ? `, rank ${appeared.rank} of ${visible(appeared.list)}` : '';
    return {text: `${appeared.kind === 'created' ? 'new' : appeared.kind}${place}`, tone: 'accent'};
  }
  if (change.visibility) {
    return {text: change.visibility.visible ? 'visible again' : 'not visible', tone: 'warn'};
  }
  if (facets.length === 0) {
    return {text: change.origin?.baseline ? 'first observation' : 'key frame', tone: 'flat'};
  }
  const first = facets[0];
  if (first.name === 'order') {
    const {entered = [], exited = [], moved = []} = change.order;
    return {text: `${entered.length} entered, ${exited.length} exited, ${moved.length} moved`, tone: 'accent'};
  }
  const attribute = mainAttribute(first);
  const moved = moveOf(attribute);
  const isPrice = PRICES.includes(attribute.name);
  const more = facets.reduce((all, facet) => all + facet.attributes.length, 0) - 1;
  if (!change[first.name].before) {
    return {text: change.origin?.baseline ? 'first observation' : `${first.name} first known`, more, tone: 'flat'};
  }
  const [before, after] = beforeAndAfter(attribute);
  return {
    text: first.name,
    label: labelOf(first.name, attribute.name),
    attribute: attribute.name,
    before, after,
    move: isPrice ? change[first.name].move_percent ?? moved : null,
    otherMove: isPrice || moved === null ? null : percent(moved),
    more,
  };
}

/** A facet's main attribute goes by the name of the facet. */
function labelOf(facet, attribute) {
  const words = text => text.replaceAll('_', ' ').replaceAll('.', ' ');
  return ['price', 'liquidity', 'funding', 'open_interest', 'position'].includes(facet) && MAIN.includes(attribute)
    ? words(facet) : words(attribute);
}

/** Whether a change is more than a key frame. */
export function saysSomething(change, facets = change === null ? [] : changedFacets(change)) {
  return change !== null
    && Boolean(change.removed || change.appeared || change.visibility || facets.length > 0);
}

/** Whether a change of a pool or token has nothing but a market cap or a window, which follow from other changes. */
export function isFollowing(kind, change, facets = changedFacets(change)) {
  return (kind === 'pool' || kind === 'token') && !change.removed && !change.appeared && !change.visibility
    && facets.length > 0 && facets.every(facet => FOLLOWING.includes(facet.name));
}

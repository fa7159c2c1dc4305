// What a change record says: which facets and attributes changed. Pure functions.

import {number, price, dollars, compact, visible} from './text.js';

const KINDS = {
  'pool.changes': 'pool', 'token.changes': 'token', 'ticker.changes': 'ticker', 'contract.changes': 'contract',
  'ranking.changes': 'ranking', 'holding.changes': 'holding', 'treasury.changes': 'treasury',
  'global.changes': 'global', 'platform.changes': 'platform', 'coin-day.changes': 'coin-day',
  'derivatives-exchange.changes': 'derivatives-exchange',
};

/** All topics of changes. */
export const CHANGE_TOPICS = Object.keys(KINDS);

/** Facets, those first that readers want first. */
const ORDER = ['price', 'position', 'order', 'funding', 'open_interest', 'basis', 'liquidity', 'dominance', 'market_cap',
  'valuation', 'spread', 'quality', 'volume', 'flow', 'launchpad', 'trade', 'activity', 'day', 'converted'];

/** Of a facet, the attribute that stands for it. */
const MAIN = ['base_token_price_usd', 'last', 'price_usd', 'amount', 'reserve_in_usd', 'funding_rate',
  'open_interest_usd', 'index_basis_percentage', 'market_cap_usd', 'fdv_usd', 'total_treasury_value_usd',
  'current_value_usd', 'bid_ask_spread_percentage'];

/** The short name of a topic, without the prefix of its source. */
export function shortTopic(topic) {
  const parts = topic.split('.');
  for (let from = 0; from < parts.length; from++) {
    const name = parts.slice(from).join('.');
    if (KINDS[name]) {
      return name;
    }
  }
  return parts.slice(1).join('.') || topic;
}

/** The kind of resource of a topic of changes; null for other topics. */
export function kindOf(topic) {
  return KINDS[shortTopic(topic)] ?? null;
}

/** Attributes by their paths: {"volume_usd.m5": "12"}. */
export function flatten(record, path = '', into = {}) {
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
export function differences(facet) {
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
export function mainAttribute(facet) {
  return MAIN.map(name => facet.attributes.find(each => each.name === name)).find(Boolean) ?? facet.attributes[0] ?? null;
}

/** The move of an attribute in percent; null where it cannot be computed. */
export function moveOf(facet, attribute) {
  if (facet.name === 'price' && number(facet.facet.move_percent) !== null) {
    return facet.facet.move_percent;
  }
  const before = number(attribute?.before);
  const after = number(attribute?.after);
  return typeof attribute?.after === 'boolean' || before === null || after === null || before === 0
    ? null : 100 * (after - before) / Math.abs(before);
}

/** A value of an attribute, formatted by its name. */
export function attributeText(name, value) {
  if (value === null || value === undefined) {
    return '–';
  }
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  const amount = number(value);
  if (amount === null || typeof value === 'object') {
    return visible(typeof value === 'object' ? JSON.stringify(value) : value, 60);
  }
  if (/percent|funding_rate|dominance/.test(name)) {
    return `${amount.toFixed(Math.abs(amount) < 1 ? 4 : 2)}%`;
  }
  if (/price|^last$|native|index$|converted_last/.test(name)) {
    return price(amount);
  }
  return /usd/.test(name) ? dollars(amount) : Number.isInteger(amount) && Math.abs(amount) < 1e6
    ? amount.toLocaleString('en-US') : compact(amount);
}

/** What the resource of a change is called, for people. */
export function nameOf(kind, change, key) {
  const about = change.about ?? {};
  switch (kind) {
    case 'pool':
    case 'token':
    case 'treasury':
      return about.name ?? about.symbol ?? key;
    case 'ticker':
      return `${about.name ?? change.coin} on ${about.market_name ?? change.market}: ${change.base}/${change.target}`;
    case 'contract':
      return `${change.symbol} on ${change.exchange}`;
    case 'holding':
      return `${about.entity_name ?? change.entity}: ${about.coin_name ?? change.coin_id}`;
    case 'global':
      return 'All coins';
    default:
      return about.name ?? key;
  }
}

/** Where the page shows the resource; null where it has no view of its own. */
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

/** Network and address of a pool's id, as far as a list of networks tells; an id is never split otherwise. */
export function poolOfId(id, networks) {
  const network = networks.filter(each => id.startsWith(each + '_')).sort((a, b) => b.length - a.length)[0];
  return network === undefined ? null : {network, address: id.slice(network.length + 1)};
}

/** One line on a change: {text, before, after, move, more, tone}. */
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
  const more = facets.reduce((all, facet) => all + facet.attributes.length, 0) - 1;
  if (!change[first.name].before) {
    return {text: change.origin?.baseline ? 'first observation' : `${first.name} first known`, more, tone: 'flat'};
  }
  return {
    text: first.name,
    label: labelOf(first.name, attribute.name),
    attribute: attribute.name,
    before: attributeText(attribute.name, attribute.before),
    after: attributeText(attribute.name, attribute.after),
    move: moveOf(first, attribute),
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


// The rows of a coin's tables: tickers and contracts, from answers of the mirror and from changes.

import {millis, number} from '../text.js';

/** The key of a resource in the topics: its parts, in which a slash, a percent sign and control characters are encoded. */
export function keyOf(...parts) {
  return parts.map(part => /[/%\x00-\x1f\x7f-\x9f]/.test(part)
    ? encodeURIComponent(part).replace(/[!'()~]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`) : part).join('/');
}

export function tickerKey(coin, {market, base, target}) {
  return keyOf(coin, market, base, target);
}

/** The row of a ticker in the mirror’s answer. */
export function tickerOf(each) {
  return {
    base: each.base, target: each.target, market: each.market.identifier, marketName: each.market.name || each.market.identifier, pair: `${each.base}/${each.target}`,
    price: number(each.converted_last?.usd), volume: number(each.converted_volume?.usd), spread: number(each.bid_ask_spread_percentage),
    up: number(each.cost_to_move_up_usd), down: number(each.cost_to_move_down_usd),
    tradedAt: millis(each.last_traded_at), stale: each.is_stale, anomaly: each.is_anomaly,
  };
}

/**
 * The row of a ticker after a change; row is undefined for one that is not known yet. A change carries facets whole, so
 * an attribute that is null is not known any more. What the changes of a row said is also its member `changed`, which
 * stays if the mirror answers later.
 */
export function tickerAfter(row, change) {
  const known = row ?? {market: change.market, base: change.base, target: change.target, pair: `${change.base}/${change.target}`, price: null, volume: null, spread: null,
    up: null, down: null, tradedAt: null, stale: false, anomaly: false};
  const changed = {
    ...known.changed,
    marketName: change.about.market_name || known.marketName || change.market,
    price: change.about.price_usd ?? null,
    ...(change.converted && {volume: number(change.converted.after?.converted_volume?.usd)}),
    ...(change.spread && {spread: number(change.spread.after?.bid_ask_spread_percentage)}),
    ...(change.depth && {up: number(change.depth.after?.cost_to_move_up_usd), down: number(change.depth.after?.cost_to_move_down_usd)}),
    ...(change.times && {tradedAt: millis(change.times.after?.last_traded_at)}),
    ...(change.quality && {stale: change.quality.after?.is_stale, anomaly: change.quality.after?.is_anomaly}),
    removed: Boolean(change.removed),
  };
  return {...known, ...changed, changed};
}

/** The row of a contract after a change; row is undefined for one that is not known yet. */
export function contractAfter(row, change) {
  return {
    ...(row ?? {type: null, basis: null, interest: null, funding: null}),
    exchange: change.exchange, symbol: change.symbol,
    price: change.about.last ?? null,
    ...(change.description && {type: change.description.after?.contract_type}),
    ...(change.basis && {basis: number(change.basis.after?.index_basis_percentage)}),
    ...(change.open_interest && {interest: number(change.open_interest.after?.open_interest_usd)}),
    ...(change.funding && {funding: number(change.funding.after?.funding_rate)}),
  };
}

// Pools as rows of tables: from an answer of the mirror, and from changes.

import {millis, number} from '../text.js';

/** The networks whose targets have an operation, by the status of the server. */
export function networksOf(status, operation) {
  const found = new Set();
  for (const source of status.sources) {
    for (const target of source.targets) {
      const network = /\/networks\/([^/]+)\//.exec(target.target)?.[1];
      if (network !== undefined && (operation === null || target.operation === operation)) {
        found.add(decodeURIComponent(network));
      }
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
    ...active(attributes, {}),
  };
}

function described(name, address) {
  return {name: name || address, searched: `${name} ${address}`.toLowerCase()};
}

function active(activity, known) {
  const moves = activity.price_change_percentage;
  return {
    moves: moves ? {m5: number(moves.m5), h1: number(moves.h1), h6: number(moves.h6), h24: number(moves.h24)} : known.moves ?? {},
    volume: number(activity.volume_usd?.h1) ?? known.volume ?? null,
    volumeDay: number(activity.volume_usd?.h24) ?? known.volumeDay ?? null,
    buys: number(activity.transactions?.h1?.buys) ?? known.buys ?? null,
    sells: number(activity.transactions?.h1?.sells) ?? known.sells ?? null,
  };
}

/** The row after a change of its pool. */
export function updateRow(row, change) {
  const about = change.about ?? {};
  const createdAt = millis(about.created_at) ?? row.createdAt ?? null;
  const next = {
    ...row,
    ...described(about.name || row.name, change.address),
    dex: about.dex ?? row.dex ?? null,
    createdAt,
    price: about.price_usd ?? row.price ?? null,
    reserve: about.reserve_usd ?? row.reserve ?? null,
    ...active(change.activity?.after ?? {}, row),
    observedAfter: createdAt !== null && about.first_observed_at ? about.first_observed_at - createdAt : row.observedAfter ?? null,
    removed: Boolean(change.removed),
  };
  if (change.visibility) {
    next.visible = change.visibility.visible;
  }
  return next;
}

// Moves of rank in lists, as text.

import {chip, element} from '../dom.js';
import {visible} from '../text.js';

/** How a pool moved in its list, for two minutes. */
export function rankMove(moved, now) {
  if (moved === undefined || now - moved.at > 120_000) {
    return '';
  }
  if (moved.by === null) {
    return chip('new', 'accent');
  }
  return moved.by === 0 ? '' : element(`span.${moved.by > 0 ? 'up' : 'down'}`, {},
    `${moved.by > 0 ? '▲' : '▼'} ${Math.abs(moved.by)}`);
}

/** What a listing says happened to a pool in a list. */
export function listingText(listing) {
  switch (listing.action) {
    case 'entered':
      return element('span.up', {}, `in at ${listing.rank}`);
    case 'exited':
      return element('span.down', {}, `out from ${listing.rank_before}`);
    case 'moved':
      if (listing.rank === listing.rank_before) { // as many entered above it as left
        return element('span.muted', {}, `reordered at ${listing.rank}`);
      }
      return element(`span.${listing.rank < listing.rank_before ? 'up' : 'down'}`, {}, `${listing.rank_before} → ${listing.rank}`);
    default:
      return visible(listing.action);
  }
}

// Lists of the mirror, which come page by page.

import {targetsOf} from './condition.js';

const LAST_PAGE = 10; // of a list of pools, the mirror refuses a later one

/**
 * The answers of all watched pages of a list, the first ten at most. isTarget passes the name of the target that has
 * the list; the number of its members says which page is the last one. Any other list ends with a page that is not full.
 */
export async function readPages(scope, address, perPage, isTarget) {
  const counts = targetsOf(scope.status).filter(each => isTarget(each.target)).map(each => each.members ?? 0);
  const members = counts.length === 0 ? Infinity : Math.max(...counts);
  const pages = [];
  for (let page = 1; page <= LAST_PAGE; page++) {
    try {
      pages.push(await scope.json(`${address}${address.includes('?') ? '&' : '?'}page=${page}`));
    } catch (failure) {
      if (page === 1 || failure.status !== 404) {
        throw failure;
      }
      break; // this page is not watched
    }
    const {data, tickers} = pages.at(-1);
    if ((data ?? tickers).length < perPage || page * perPage >= members) {
      break;
    }
  }
  return pages;
}

/** The pools of a list; one that moved to the next page meanwhile is where it was first. */
export async function readPools(scope, address, isTarget) {
  const pools = new Map();
  (await readPages(scope, address, 20, isTarget)).flatMap(page => page.data)
    .forEach(pool => pools.has(pool.id) || pools.set(pool.id, pool));
  return [...pools.values()];
}

// The newest changes, as the live view shows them. No document.

import {isFollowing, linkOf, nameOf, summary} from './change.js';

/** The newest changes, with older ones that pass the filter, and how many nobody saw. */
export class RecentChanges {
  #rows = [];
  #added = [];
  #most;
  #mostShown;
  #hasDrawn = false; // what came before the view was opened is no news
  unseen = 0;

  /** Keeps `most` changes for any filter; of older ones, those that pass, as long as they are among the `mostShown`. */
  constructor(most, mostShown) {
    this.#most = most;
    this.#mostShown = mostShown;
  }

  get size() {
    return this.#rows.length + this.#added.length;
  }

  /** Adds a change, which counts as unseen if it passes and leaves before it was drawn. */
  add(row, passing) {
    this.#added.push(row);
    if (this.#added.length > this.#most) { // some would leave the table before anybody saw them
      const before = this.sinceDrawn(passing);
      let passed = 0;
      this.#added = this.#added.sort((a, b) => b.at - a.at)
        .filter((each, place) => (passing(each) && ++passed <= this.#mostShown) || place < this.#most / 2);
      this.unseen += this.#hasDrawn ? before - this.sinceDrawn(passing) : 0;
    }
  }

  /** All changes that pass, newest first, also those that wait to be drawn. */
  all(passing) {
    return [...this.#added, ...this.#rows].filter(passing).sort((a, b) => b.at - a.at);
  }

  clear() {
    this.#rows = [];
    this.#added = [];
    this.#hasDrawn = false;
    this.unseen = 0;
  }

  sinceDrawn(passing) {
    return this.#added.filter(passing).length;
  }

  /** The newest changes that pass, newest first; of each resource one at most, if `isOnePerResource`. */
  newest(passing, isOnePerResource) {
    const added = this.#added.splice(0);
    const all = [...added, ...this.#rows].sort((a, b) => b.at - a.at);
    const seen = new Set();
    const shown = all.filter(row => passing(row)
      && !(isOnePerResource && seen.size === seen.add(`${row.topic}/${row.key}`).size)).slice(0, this.#mostShown);
    const isShown = new Set(shown);
    this.#rows = all.filter((row, place) => place < this.#most || isShown.has(row));
    if (!isOnePerResource && this.#hasDrawn) {
      this.unseen += Math.max(0, added.filter(passing).length - this.#mostShown);
    }
    this.#hasDrawn = true;
    return shown;
  }
}

/** A change as the table of changes needs it. */
export function recentChange(record, kind, changed) {
  const change = record.value;
  const name = change === null ? record.key : nameOf(kind, change, record.key);
  return {
    kind, name, change, topic: record.topic, key: record.key, place: `${record.topic}/${record.partition}/${record.offset}`,
    at: record.timestamp, facets: changed.map(facet => facet.name),
    network: change?.network ?? null,
    asOf: change?.origin?.as_of ?? null,
    link: change === null ? null : linkOf(kind, change, record.key),
    summary: summary(kind, change, changed), following: change !== null && isFollowing(kind, change, changed),
    searched: `${name} ${record.key}`.toLowerCase(),
  };
}

/** Whether a change passes the filters {network, facet, following, least, text}, of which empty ones pass all. */
export function passes(row, filter) {
  return (filter.network === '' || row.network === filter.network)
    && (filter.facet === '' || row.facets.includes(filter.facet))
    && (filter.following || !row.following || filter.facet !== '')
    && (filter.least === '0' || Math.abs(row.summary.move ?? 0) >= Number(filter.least))
    && (filter.text === '' || row.searched.includes(filter.text));
}

/** How many changes the last ten seconds had, by the times of the changes. */
export class Rate {
  #seconds = new Map();

  add(at) {
    const second = Math.floor(at / 1000);
    this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + 1);
  }

  clear() {
    this.#seconds.clear();
  }

  perSecond(now) {
    const first = Math.floor(now / 1000) - 10;
    let all = 0;
    for (const [second, events] of this.#seconds) {
      if (second < first) {
        this.#seconds.delete(second);
      } else {
        all += events;
      }
    }
    return all / 10;
  }
}

// All that one change says: its origin, and each facet before and after.

import {beforeAndAfter, changedFacets, moveOf} from '../change.js';
import {element, move, notice, timeOf} from '../dom.js';
import {span, visible} from '../text.js';

/** The details of a change, for a row that opens. */
export function changeDetails(change, key) {
  if (change === null) {
    return notice('A tombstone: the resource was evicted.');
  }
  const origin = change.origin ?? {};
  const facets = changedFacets(change).filter(facet => facet.name !== 'order');
  return element('div.change', {},
    element('p.muted', {}, `${visible(key, 120)} · revision ${change.revision} · ${visible(origin.operation)} snapshot ${origin.snapshot}`
      + ' · observed ', timeOf(origin.observed_at),
    (origin.as_of ? `, ${span(origin.observed_at - origin.as_of)} after the service’s own time` : '')
      + ` · ${visible(origin.target, 160)}`),
    facets.length === 0 ? ranking(change) : element('table.plain', {},
      element('caption.hidden', {}, 'Attributes before and after'),
      element('thead', {}, element('tr', {},
        ...['Attribute', 'Before', 'After', 'Move'].map(title => element('th', {scope: 'col'}, title)))),
      element('tbody', {}, ...facets.flatMap(facet => facet.attributes.map(attribute => attributeRow(facet, attribute))))));
}

function attributeRow(facet, attribute) {
  const [before, after] = beforeAndAfter(attribute);
  const moved = moveOf(attribute);
  return element('tr', {},
    element('th', {scope: 'row'}, `${facet.name}.${visible(attribute.name, 60)}`),
    element('td.number', {title: visible(attribute.before, 100)}, before),
    element('td.number', {title: visible(attribute.after, 100)}, after),
    element('td.number', {}, moved === null ? '' : move(moved)));
}

function ranking(change) {
  if (!change.order) {
    return notice('No facet differs: the change carries what is known.');
  }
  const {entered = [], exited = [], moved = []} = change.order;
  const lines = [
    ...entered.map(each => `${visible(each.about?.name || each.pool)} entered at rank ${each.rank}`),
    ...moved.map(each => each.rank === each.rank_before
      ? `${visible(each.pool, 60)} was reordered at rank ${each.rank}`
      : `${visible(each.pool, 60)} moved from rank ${each.rank_before} to ${each.rank}`),
    ...exited.map(each => `${visible(each.pool, 60)} exited from rank ${each.rank_before}`),
  ];
  return element('ul', {}, ...lines.slice(0, 40).map(text => element('li', {}, element('bdi', {}, text))));
}

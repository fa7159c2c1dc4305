// Alerts with their evidence and life cycle, and silences.

import {choice, element, heading, notice, paint, select, textField} from '../dom.js';
import {CHOICES, chooseNotices, chosenNotices} from '../notices.js';
import {count, counted} from '../text.js';
import {AlertCard, SEVERITIES} from './alert-card.js';

const MOST = 150; // cards
const MOST_ENDED = 1_000;
const DAY = 86_400_000;
const NONE = 'No alert in the last 24 hours. The rules are read by the role stream.';

export function show(scope) {
  const alerts = new Map();
  const cards = new Map();
  const filter = {status: scope.chosen('status', 'all'), severity: scope.chosen('severity'), text: scope.chosen('text')};
  const list = element('div.cards');
  const empty = notice(NONE);
  const more = notice('');
  const summaryLine = element('span.muted');
  let leftOutAt = -Infinity; // time of the newest alert that was left out, since more had ended than are held here

  const isOfDay = alert => alert.at > scope.now() - DAY;
  const draw = () => {
    alerts.forEach((alert, id) => isOfDay(alert) || isOpen(alert) || alerts.delete(id));
    const passing = [...alerts.values()].filter(alert => passes(alert, filter))
      .sort((a, b) => isOpen(b) - isOpen(a) || b.at - a.at);
    const shown = passing.slice(0, MOST);
    const wanted = new Set(shown.map(alert => alert.id));
    for (const [id, card] of cards) {
      if (!wanted.has(id)) {
        card.node.remove();
        cards.delete(id);
      }
    }
    let place = list.firstChild;
    for (const alert of shown) {
      let card = cards.get(alert.id);
      if (card === undefined) {
        card = new AlertCard(scope, alert);
        cards.set(alert.id, card);
      }
      card.draw();
      if (card.node === place) {
        place = place.nextSibling;
      } else {
        list.insertBefore(card.node, place);
      }
    }
    empty.hidden = shown.length > 0;
    empty.textContent = alerts.size === 0 ? NONE : `None of the ${counted(alerts.size, 'alert')} passes these filters.`;
    const firing = [...alerts.values()].filter(alert => alert.value.status === 'firing').length;
    const isCut = isOfDay({at: leftOutAt});
    summaryLine.textContent = `${count(firing)} firing, ${isCut ? 'more than ' : ''}${
      count([...alerts.values()].filter(isOfDay).length)} in the last 24 hours`;
    more.textContent = [passing.length > MOST ? `${count(passing.length - MOST)} more are not shown; choose a status, a severity or a name.` : '',
      isCut ? `Of those that ended, only the newest ${count(MOST_ENDED)} are here.` : ''].join(' ').trim();
    more.hidden = more.textContent === '';
  };

  const take = (value, isTransition) => {
    const known = alerts.get(value.id) ?? {id: value.id, steps: [], at: 0, value};
    if (value.event_time >= known.value.event_time) {
      known.value = value;
      known.at = value.event_time;
    }
    if (isTransition && !known.steps.some(step => step.status === value.status && step.at === value.event_time)) {
      known.steps.push({status: value.status, at: value.event_time});
      known.steps.sort((a, b) => a.at - b.at);
    }
    alerts.set(value.id, known);
    const ended = alerts.size > MOST_ENDED ? [...alerts.values()].filter(alert => !isOpen(alert)) : [];
    if (ended.length > MOST_ENDED) {
      const oldest = ended.reduce((a, b) => a.at <= b.at ? a : b);
      alerts.delete(oldest.id);
      leftOutAt = Math.max(leftOutAt, oldest.at);
    }
    paint(draw);
  };

  scope.follow({topics: ['alerts'], from: '24h', onRecord: record => {
    if (record.value !== null) {
      take(record.value, true);
    }
  }});
  scope.follow({topics: ['alerts.state'], from: 'beginning', onRecord: ({key, value}) => {
    if (value !== null && (value.status === 'firing' || value.status === 'pending')) {
      take(value, false);
    } else {
      alerts.forEach((alert, id) => alert.value.fingerprint === key && alert.steps.length === 0 && alerts.delete(id));
      paint(draw); // one that ended more than a day ago has no transitions here
    }
  }});
  scope.every(1000, () => {
    cards.forEach(card => card.tick());
  });
  scope.every(60_000, () => paint(draw));

  const set = (name, value, otherwise) => {
    filter[name] = value;
    scope.choose(name, value, otherwise);
    paint(draw);
  };
  return element('section', {},
    heading('Alerts', 'What the rules found: firing and pending first, then newest first. Open one for its evidence, its transitions, and to silence it.', summaryLine),
    element('div.filters', {},
      choice('Status', [['all', 'All'], ['firing', 'Firing'], ['pending', 'Pending'], ['resolved', 'Resolved'], ['fired', 'Events']],
        filter.status, status => set('status', status, 'all')),
      select('Severity', [['', 'Any'], ...SEVERITIES.map(each => [each, each])], filter.severity, severity => set('severity', severity)),
      textField('Name', 'rule, subject or text', filter.text, text => set('text', text)),
      noticesField()),
    list, empty, more);
}

/** The choice of notices on the desktop. */
function noticesField() {
  const field = select('Notify me', CHOICES, chosenNotices(), async least => {
    field.lastElementChild.value = await chooseNotices(least);
  });
  return field;
}

function isOpen(alert) {
  return ['firing', 'pending'].includes(alert.value.status);
}

function passes(alert, filter) {
  const value = alert.value;
  return (filter.status === 'all' || value.status === filter.status)
    && (filter.severity === '' || value.severity === filter.severity)
    && (filter.text === '' || `${value.rule} ${value.subject} ${value.summary}`.toLowerCase().includes(filter.text));
}

// One alert: its evidence, its transitions, and the form that silences it.

import {poolLink} from '../change.js';
import {chip, element, name, select, timeOf} from '../dom.js';
import {refusal} from '../stream.js';
import {moment, shortened, span, visible} from '../text.js';

export const SEVERITIES = ['info', 'warning', 'critical'];

/** One alert, which opens. */
export class AlertCard {
  #scope;
  #alert;
  #drawn = '';
  #chips = element('span');
  #text = element('span.text');
  #time = element('span.muted.time');
  #found = element('div');
  #inside = element('div.inside', {}, this.#found);

  constructor(scope, alert) {
    this.#scope = scope;
    this.#alert = alert;
    this.#text = element('span.text');
    this.node = element(`details.card.${SEVERITIES.includes(alert.value.severity) ? alert.value.severity : 'info'}`, {
      ontoggle: () => {
        if (this.node.open) {
          this.#fill();
        }
      },
    }, element('summary', {}, this.#chips, element('span.muted', {}, visible(alert.value.rule, 40)), this.#text, this.#time), this.#inside);
  }

  draw() {
    const value = this.#alert.value;
    const mark = `${value.status} ${value.silenced} ${this.#alert.steps.length} ${value.event_time}`;
    if (mark === this.#drawn) {
      return;
    }
    this.#drawn = mark;
    this.#chips.replaceChildren(...[
      chip(value.severity, value.severity), ' ',
      value.status === 'fired' ? null : chip(value.status, value.status === 'firing' ? 'bad' : value.status === 'resolved' ? 'good' : 'warn'),
      value.silenced ? chip('silenced') : null].filter(Boolean));
    this.#text.replaceChildren(element('bdi', {}, visible(value.end_summary ?? value.summary, 240)));
    this.tick();
    if (this.node.open) {
      this.#fill();
    }
  }

  tick() {
    const text = `${span(this.#scope.now() - this.#alert.value.event_time)} ago`;
    if (this.#time.textContent !== text) {
      this.#time.textContent = text;
    }
  }

  #fill() {
    const value = this.#alert.value;
    const steps = this.#alert.steps.length > 0 ? this.#alert.steps : [{status: value.status, at: value.event_time}];
    const labels = Object.entries(value.labels ?? {});
    if (this.#inside.childElementCount === 1) {
      this.#inside.append(silenceForm(this.#scope, value)); // stays, since someone may be filling it
    }
    this.#found.replaceChildren(...[
      element('p', {}, 'About ', subject(value), value.reason ? `; resolved: ${visible(value.reason, 80)}` : ''),
      element('ol.steps', {'aria-label': 'Transitions'}, ...[
        value.started_at && !steps.some(step => step.status === 'pending') ? {status: 'condition holds', at: value.started_at} : null, ...steps]
        .filter(Boolean).map(step => element('li', {}, `${visible(step.status)} `, timeOf(step.at)))),
      labels.length === 0 ? null : element('p', {}, ...labels.flatMap(([key, text]) => [chip(`${key}=${text}`), ' '])),
      ...Object.entries(value.annotations ?? {}).map(([key, text]) => element('p', {}, element('span.muted', {}, `${visible(key)}: `),
        element('bdi', {}, visible(text, 400)))),
      ...value.evidence.map(evidence)].filter(Boolean));
  }
}

function subject(value) {
  const network = value.labels?.network ?? value.evidence[0]?.values?.network;
  const isPool = value.evidence.some(each => /pool\.(changes|listing)$/.test(each.topic));
  if (isPool && network && value.subject.startsWith(network + '_')) {
    return element('a', {href: poolLink(network, value.subject.slice(network.length + 1))}, name(value.subject, 80));
  }
  return name(value.subject, 120);
}

function evidence(each) {
  const values = Object.entries(each.values ?? {}).sort(([a], [b]) => a < b ? -1 : 1);
  return element('div', {},
    element('p.muted', {}, `Evidence: ${visible(each.topic, 60)}, key ${shortened(each.key, 40)}`
      + (each.revision === null ? '' : `, revision ${each.revision}`) + `, observed ${moment(each.observed_at)}`),
    element('table.plain', {}, element('caption.hidden', {}, 'Values that the rule used'),
      element('thead', {}, element('tr', {}, element('th', {scope: 'col'}, 'Name in rules'), element('th.number', {scope: 'col'}, 'Value'))),
      element('tbody', {}, ...values.map(([key, text]) => element('tr', {},
        element('th', {scope: 'row'}, visible(key, 80)), element('td.number', {}, element('bdi', {}, visible(text, 80))))))));
}

/** As one word of a shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function silenceForm(scope, value) {
  const outcome = element('span', {role: 'status'});
  let scopeOf = 'subject';
  let length = '1h';
  const command = () => `tidemark rules silence${scopeOf === 'all' ? '' : ` --rule ${visible(value.rule, 80)}`}${
    scopeOf === 'rule' ? '' : ` --subject ${quoted(visible(value.subject, 200))}`} --for ${length}`;
  const comment = element('input', {type: 'text', maxlength: '200', 'aria-label': 'Reason', placeholder: 'Reason, for others'});
  return element('form.silence', {'aria-label': 'Silence', onsubmit: async event => {
    event.preventDefault();
    outcome.className = 'muted';
    outcome.textContent = 'Sending.';
    try {
      const me = await scope.json('/v1/me', {isOnce: true}); // nothing is sent after an outage
      if (!me.rights.includes('write')) {
        outcome.replaceChildren(...me.has_keys
          ? ['Silences need a key with the right “write”: ', element('a', {href: '#/login?back=/alerts'}, 'log in'), '; or from the command line: ']
          : ['This server has no keys, so it takes no silences; from the command line: '], element('code', {}, command()));
        return;
      }
      const response = await fetch('/v1/silences', {
        method: 'POST', headers: {'Content-Type': 'application/json'}, signal: AbortSignal.timeout(20_000),
        body: JSON.stringify({
          rule: scopeOf === 'all' ? null : value.rule, subject: scopeOf === 'rule' ? null : value.subject,
          for: length, comment: comment.value,
        }),
      });
      if (!response.ok) {
        throw await refusal(response);
      }
      const made = await response.json();
      outcome.className = 'up';
      outcome.textContent = `Silenced${made.until ? ' until ' + moment(Date.parse(made.until)) : ''}${made.id ? `, silence ${visible(made.id, 30)}` : ''}.`;
    } catch (failure) {
      outcome.className = 'bad';
      outcome.textContent = `Not silenced: ${visible(failure.message, 200)}`;
    }
  }},
  select('Silence', [['subject', 'this rule for this subject'], ['rule', 'this rule'], ['all', 'this subject']], scopeOf, chosen => {
    scopeOf = chosen;
  }),
  select('for', [['30m', '30 minutes'], ['1h', '1 hour'], ['6h', '6 hours'], ['1d', '1 day'], ['7d', '7 days']], length, chosen => {
    length = chosen;
  }), comment, element('button.button', {type: 'submit'}, 'Silence'), outcome);
}

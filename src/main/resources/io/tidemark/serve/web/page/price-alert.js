// Rules on the price of a pool or a coin, and how often each would have fired.

import {Candles, INTERVALS} from './candles.js';
import {changeButton} from './commands.js';
import {element, hash, select} from './dom.js';
import {number, price} from './text.js';

const HOUR = 3_600_000;

/** The rule, as a file for `tidemark rules apply`: fires when the price of a pool crosses a level. */
export function priceRule({network, address}, side, level) {
  const [now, before] = side === 'above' ? ['>=', '<'] : ['<=', '>'];
  const quoted = text => JSON.stringify(text);
  return `rules:
  - name: ${ruleName(side, level, network, address)}
    on: pool.changes
    when: >-
      changed.price && network == ${quoted(network)} && address == ${quoted(address)}
      && price.base_token_price_usd ${now} ${decimal(level)} && before.price.base_token_price_usd ${before} ${decimal(level)}
    cooldown: 10m
    severity: warning
    annotations:
      summary: "{{ about.name }} on {{ network }} is ${side} ${decimal(level)}: {{ price.base_token_price_usd | price }}"
`;
}

/** The rule, as a file for `tidemark rules apply`: fires while the median price of a coin's venues is beyond a level. */
export function coinPriceRule(coin, side, level) {
  return `rules:
  - name: ${ruleName(side, level, coin)}
    on: venues
    kind: condition
    when: coin == ${JSON.stringify(coin)} && median_usd ${side === 'above' ? '>=' : '<='} ${decimal(level)}
    severity: warning
    annotations:
      summary: "{{ coin }} is ${side} ${decimal(level)}: {{ median_usd | price }}"
`;
}

/** A name for a rule, which also names its file: 63 characters at most, so the end of a longer one is a hash of all of it. */
function ruleName(...parts) {
  const name = ['price', ...parts.map(part => String(part).toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'x')].join('-');
  return name.length <= 63 ? name : `${name.slice(0, 54)}-${hash(parts.join(' ')).toString(16)}`;
}

/** A number in the digits that CEL takes for a double: never an integer, never a comma. */
function decimal(level) {
  const text = String(level);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** How often the closes of bars, one each minute, crossed a level within the last hour. */
export function crossings(bars, side, level, now) {
  const closes = bars.filter(bar => bar.time * 1000 > now - HOUR).map(bar => bar.close);
  const isBeyond = close => side === 'above' ? close >= level : close <= level;
  return closes.slice(1).filter((close, at) => isBeyond(close) && !isBeyond(closes[at])).length;
}

/** A form that writes the rule for a pool ({network, address}); priceNow returns its price. */
export function poolPriceAlertForm(scope, pool, priceNow) {
  const minutes = new Candles(INTERVALS[0]);
  return priceAlertForm(scope, priceNow, {
    rule: (side, level) => priceRule(pool, side, level), topic: 'pool.candles.1m', key: `${pool.network}_${pool.address}`,
    take: value => minutes.add(value), bars: () => minutes.bars(scope.now()), source: 'its one-minute candles',
  });
}

/** A form that writes the rule for a coin; priceNow returns the median price of its venues. */
export function coinPriceAlertForm(scope, coin, priceNow) {
  const medians = [];
  return priceAlertForm(scope, priceNow, {
    rule: (side, level) => coinPriceRule(coin, side, level), topic: 'venues', key: coin,
    take: ({at, median_usd: close}) => close !== null && medians.push({time: at / 1000, close}), bars: () => medians,
    source: 'the aggregates that are kept of it',
  });
}

/** A form that writes and applies a rule; history has the prices of the last hour: topic, key, take(value), bars(), source (its name). */
function priceAlertForm(scope, priceNow, history) {
  let side = 'above';
  let stop = null;
  let isRead = false;
  const level = element('input', {type: 'text', inputmode: 'decimal', maxlength: '30', placeholder: 'price in USD', autocomplete: 'off',
    oninput: () => draw()});
  const text = element('pre.rule', {tabindex: '0', 'aria-label': 'The rule'});
  const outcome = element('p.muted');
  const rule = () => history.rule(side, number(level.value.trim()));
  const apply = changeButton(scope, 'Apply this rule', () => ['PUT', `/v1/rules/${/name: (\S+)/.exec(rule())[1]}`, rule()],
    ({file, version, replaces, warnings, in_force: isInForce}) => [
      isInForce ? `In force as ${file}, version ${version}.` : `Requested as ${file}; the rule is in force when a source reads it.`,
      ...replaces.map(each => `Replaces ${each} of the configuration.`), ...warnings].join(' '),
    'Put this into a file and apply it: tidemark rules apply FILE');

  const draw = () => {
    const wanted = number(level.value.trim());
    text.hidden = apply.hidden = wanted === null || wanted <= 0;
    if (text.hidden) {
      outcome.textContent = level.value.trim() === '' ? `The price is ${price(priceNow())}.`
        : 'The level is a number above 0 with a decimal point, such as 0.0045.';
      return;
    }
    const written = history.rule(side, wanted);
    if (text.textContent !== written) {
      text.textContent = written;
      apply.querySelector('[role=status]')?.replaceChildren(); // it was about another rule
    }
    const count = crossings(history.bars(), side, wanted, scope.now());
    outcome.textContent = isRead ? `In the last hour the price crossed this level ${count === 1 ? 'once' : `${count} times`}, by ${history.source}.`
      : 'Reading the last hour.';
  };
  const read = () => {
    if (stop === null) {
      scope.every(1000, draw);
    }
    stop ??= scope.follow({
      topics: [history.topic], from: '1h', key: history.key,
      onRecord: record => record.value !== null && history.take(record.value),
      onCaughtUp: () => {
        isRead = true;
        draw();
      },
    });
    draw();
  };
  return element('details.card', {ontoggle: read}, element('summary', {}, 'Alert me when …'),
    element('div.inside', {}, element('div.filters', {},
      select('The price is', [['above', 'above'], ['below', 'below']], side, chosen => {
        side = chosen;
        draw();
      }), element('label.field', {}, element('span', {}, 'Level'), level)), outcome, text, apply));
}

// The chart of one pool, token or ticker with what one may choose: interval, line, scale, averages, full screen.

import {Candles, INTERVALS} from '../candles.js';
import {targetsOf} from '../condition.js';
import {choice, element, notice, paint} from '../dom.js';
import {recall, remember} from '../storage.js';
import {dollars, moment, price, visible, when} from '../text.js';
import {CandleChart} from './chart.js';

const MOST_POINTS = 5_000; // of liquidity
const PAGE = 500; // candles
const STYLES = [['candles', 'Candles'], ['line', 'Line']];
const EXTRAS = [['log', 'Log'], ['sma', 'SMA 20 50'], ['rsi', 'RSI 14']];

/**
 * A panel with the candles of a resource (pool, token or ticker): show(key) shows those of the one with that key. A view
 * adds what it reads itself: liquidity(at, value), of a pool, and alert(alert).
 */
export function candleChart(scope, resource) {
  const hasLiquidity = resource === 'pool';
  const look = {style: 'candles', log: false, sma: false, rsi: false, ...recall('chart', {})};
  let interval = INTERVALS.find(each => each.label === scope.chosen('interval')) ?? INTERVALS[0];
  let candles = new Candles(interval);
  let key = null;
  let openCandles = null;
  let stopClosed = () => {};
  let stopOpen = () => {};
  let isCaughtUp = false;
  let isEnded = false;
  let isReading = false;
  let unreadBefore = Infinity; // in seconds; null if there is no earlier candle
  let chart = null;
  let bars = [];
  const liquidity = [];
  const alerts = new Map();

  const place = element('div.chart', {role: 'img', 'aria-label': hasLiquidity ? 'Candles, volume and liquidity' : 'Candles and volume'});
  const empty = notice('Reading candles.');
  const legend = element('p.muted.legend', {}, '');

  const explain = bar => {
    const unit = resource === 'ticker' ? ` in ${visible(key.split('/').at(-1), 12)}` : '';
    legend.textContent = `${interval.label} from ${(interval.length < 3_600_000 ? when : moment)(bar.time * 1000)}${unit}: open ${price(bar.open)}, high ${price(bar.high)}, `
      + `low ${price(bar.low)}, close ${price(bar.close)}`
      + (bar.volume === null || bar.volume === undefined ? '' : `, volume about ${dollars(bar.volume)}${bar.error === null ? '' : ` ± ${dollars(bar.error)}`}`)
      + (bar.isOpen ? ' (open)' : bar.filled ? ' (no change)' : '');
  };
  const draw = () => {
    if (isEnded || key === null) {
      return; // asked for before the view was left, or nothing is chosen
    }
    bars = candles.bars(Math.max(...targetsOf(scope.status).map(target => target.observedAt)));
    empty.hidden = bars.length > 0;
    place.hidden = bars.length === 0;
    if (bars.length === 0) {
      empty.textContent = isCaughtUp
        ? `No ${interval.label} candle of this ${resource}: its price has not changed since ${interval.from} ago.` : 'Reading candles.';
      return;
    }
    if (chart === null) {
      chart = new CandleChart(place, hasLiquidity, bar => bars.length > 0 && explain(bar ?? bars.at(-1)), readEarlier);
      chart.look(look);
    }
    chart.show(interval, bars, candles.closed, liquidity, isCaughtUp);
    chart.mark([...alerts.values()]);
    if (!chart.isPointedAt) {
      explain(bars.at(-1));
    }
  };
  const read = () => {
    candles = new Candles(interval);
    candles.open(openCandles);
    isCaughtUp = false;
    unreadBefore = Infinity;
    chart?.clear();
    stopClosed();
    const mine = candles;
    stopClosed = scope.follow({
      topics: [`${resource}.candles.${interval.label}`], from: interval.from, key,
      onRecord: record => {
        if (record.value !== null) {
          mine.add(record.value);
          paint(draw);
        }
      },
      onCaughtUp: () => {
        isCaughtUp = true;
        paint(draw);
      },
    });
    paint(draw);
  };
  /** Reads candles before the first one, until there are none. */
  const readEarlier = async () => {
    if (isReading || !isCaughtUp || unreadBefore === null || bars.length === 0) {
      return;
    }
    isReading = true;
    const mine = candles;
    const asked = new URLSearchParams({symbol: `${resource.toUpperCase()}:${key}`, resolution: interval.udf, from: 0,
      to: Math.min(bars[0].time, unreadBefore), countback: PAGE});
    const answer = await scope.json(`/udf/history?${asked}`).catch(() => ({})); // asked again when somebody moves there again
    isReading = false;
    if (mine === candles && answer.s === 'ok') {
      mine.addEarlier(answer);
      paint(draw);
    } else if (mine === candles && answer.s === 'no_data') {
      unreadBefore = answer.nextTime ?? null;
    }
  };
  const choose = (name, value) => {
    look[name] = value;
    remember('chart', look);
    chart?.look(look);
    paint(draw);
  };
  scope.every(5000, () => paint(draw));
  scope.onEnd(() => {
    isEnded = true;
    chart?.close();
  });

  const node = element('div.panel.charted', {},
    element('div.filters', {}, choice('Interval', INTERVALS.map(each => [each.label, each.label]), interval.label, label => {
      scope.choose('interval', label, INTERVALS[0].label);
      interval = INTERVALS.find(each => each.label === label);
      if (key !== null) {
        read();
      }
    }), choice('Style', STYLES, look.style, style => choose('style', style)),
    ...EXTRAS.map(([name, title]) => element('button', {type: 'button', 'aria-pressed': String(look[name]), onclick: event => {
      event.currentTarget.setAttribute('aria-pressed', String(!look[name]));
      choose(name, !look[name]);
    }}, title)),
    element('button', {type: 'button', onclick: () => document.fullscreenElement ? document.exitFullscreen() : node.requestFullscreen()},
      'Full screen')),
    legend, place, empty);
  return {
    node,
    show(chosen) {
      key = chosen;
      openCandles = null;
      stopOpen();
      stopOpen = scope.follow({topics: [`${resource}.candles.open`], from: 'beginning', key, onRecord: record => {
        openCandles = record.value;
        candles.open(openCandles);
        paint(draw);
      }});
      read();
    },
    liquidity(at, value) {
      liquidity.push({time: at / 1000, value});
      if (liquidity.length > MOST_POINTS) {
        liquidity.splice(0, MOST_POINTS / 5);
      }
      paint(draw);
    },
    alert(alert) {
      alerts.set(alert.id, {time: alert.event_time / 1000, text: alert.rule});
      paint(draw);
    },
  };
}

// The chart of one pool with what one may choose: interval, line, scale, averages, full screen.

import {Candles, INTERVALS} from '../candles.js';
import {choice, element, notice, paint} from '../dom.js';
import {recall, remember} from '../storage.js';
import {clock, dollars, price} from '../text.js';
import {PoolChart} from './chart.js';

const MOST_POINTS = 5_000; // of liquidity
const STYLES = [['candles', 'Candles'], ['line', 'Line']];
const EXTRAS = [['log', 'Log'], ['sma', 'SMA 20 50'], ['rsi', 'RSI 14']];

/** A panel with the chart of a pool. It has node, and takes what the view reads: open(candles), liquidity(at, value), alert(...). */
export function poolChart(scope, id) {
  const look = {style: 'candles', log: false, sma: false, rsi: false, ...recall('chart', {})};
  let interval = INTERVALS.find(each => each.label === scope.chosen('interval')) ?? INTERVALS[0];
  let candles = new Candles(interval);
  let openCandles = null;
  let stop = null;
  let isCaughtUp = false;
  let isEnded = false;
  let chart = null;
  let bars = [];
  const liquidity = [];
  const alerts = new Map();

  const place = element('div.chart', {role: 'img', 'aria-label': 'Candles, volume and liquidity'});
  const empty = notice('Reading candles.');
  const legend = element('p.muted.legend', {}, '');

  const explain = bar => {
    legend.textContent = `${interval.label} from ${clock(bar.time * 1000)}: open ${price(bar.open)}, high ${price(bar.high)}, `
      + `low ${price(bar.low)}, close ${price(bar.close)}`
      + (bar.volume === null || bar.volume === undefined ? '' : `, volume about ${dollars(bar.volume)} ± ${dollars(bar.error)}`)
      + (bar.isOpen ? ' (open)' : bar.filled ? ' (no change)' : '');
  };
  const draw = () => {
    if (isEnded) {
      return; // asked for before the view was left
    }
    bars = candles.bars(scope.now());
    empty.hidden = bars.length > 0;
    place.hidden = bars.length === 0;
    if (bars.length === 0) {
      empty.textContent = isCaughtUp
        ? `No ${interval.label} candle of this pool: its price has not changed since ${interval.from} ago.` : 'Reading candles.';
      return;
    }
    if (chart === null) {
      chart = new PoolChart(place, bar => explain(bar ?? bars.at(-1)));
      chart.look(look);
    }
    chart.show(interval.label, bars, candles.closed, liquidity);
    chart.mark([...alerts.values()]);
    if (!chart.isPointedAt) {
      explain(bars.at(-1));
    }
  };
  const read = label => {
    interval = INTERVALS.find(each => each.label === label);
    candles = new Candles(interval);
    candles.open(openCandles);
    isCaughtUp = false;
    chart?.clear();
    stop?.();
    const mine = candles;
    stop = scope.follow({
      topics: [`pool.candles.${label}`], from: interval.from, key: id,
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
  const choose = (name, value) => {
    look[name] = value;
    remember('chart', look);
    chart?.look(look);
    paint(draw);
  };
  read(interval.label);
  scope.every(5000, () => paint(draw));
  scope.onEnd(() => {
    isEnded = true;
    chart?.close();
  });

  const node = element('div.panel.charted', {},
    element('div.filters', {}, choice('Interval', INTERVALS.map(each => [each.label, each.label]), interval.label, label => {
      scope.choose('interval', label, INTERVALS[0].label);
      read(label);
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
    open(record) {
      openCandles = record;
      candles.open(record);
      paint(draw);
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

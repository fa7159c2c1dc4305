// A chart of candles with their volume and, of a pool, its liquidity, in the colours of the theme.

import {CandlestickSeries, ColorType, HistogramSeries, LineSeries, createChart, createSeriesMarkers} from '../vendor/lightweight-charts.js';
import {average, precision, relativeStrength} from '../candles.js';
import {compact, price} from '../text.js';

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/**
 * A chart in an element of the page; it ends with close(). onPoint gets the bar under the pointer, or null; onBeginning is
 * called when somebody moves to before the first bar.
 */
export class CandleChart {
  #chart;
  #candles;
  #volume;
  #liquidity;
  #line;
  #averages;
  #strength = null;
  #markers;
  #look = {};
  #onTheme = () => this.#paint();
  #shown = '';
  #isPlaced = false;
  #readEarlierIfShown;
  #bars = [];
  #closed = 0;
  #length = 60;

  /** Whether the pointer is over a bar. */
  isPointedAt = false;

  constructor(place, hasLiquidity, onPoint, onBeginning) {
    this.#chart = createChart(place, {
      autoSize: true,
      layout: {attributionLogo: false, fontSize: 12, panes: {enableResize: true}},
      timeScale: {timeVisible: true, secondsVisible: false, rightOffset: 4, barSpacing: 9},
      localization: {locale: 'en-GB', timeFormatter: time => new Date(time * 1000).toLocaleString('en-GB', {timeZone: 'UTC'})},
      crosshair: {mode: 0},
    });
    this.#candles = this.#chart.addSeries(CandlestickSeries, {}, 0);
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceFormat: {type: 'custom', formatter: value => `$${compact(value)}`, minMove: 0.01}, priceLineVisible: false,
    }, 1);
    this.#liquidity = hasLiquidity ? this.#chart.addSeries(LineSeries, {
      lineWidth: 2, priceLineVisible: false,
      priceFormat: {type: 'custom', formatter: value => `$${compact(value)}`, minMove: 0.01},
    }, 2) : null;
    const [candles, ...others] = this.#chart.panes();
    candles.setStretchFactor(5);
    others.forEach(pane => pane.setStretchFactor(1.3));
    const quiet = {priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false};
    this.#line = this.#chart.addSeries(LineSeries, {lineWidth: 2, visible: false, priceLineVisible: false}, 0);
    this.#averages = [20, 50].map(length => ({length, series: this.#chart.addSeries(LineSeries, {...quiet, lineWidth: 1, visible: false}, 0)}));
    this.#markers = createSeriesMarkers(this.#candles, []);
    this.#chart.subscribeCrosshairMove(({time}) => {
      const bar = time === undefined ? null : this.#bars.find(each => localTime(each.time) === time) ?? null;
      this.isPointedAt = bar !== null;
      onPoint(bar);
    });
    ['pointerdown', 'wheel'].forEach(type => place.addEventListener(type, () => {
      this.#isPlaced = true; // from now on, the window is where the reader moves it
    }, {passive: true}));
    this.#readEarlierIfShown = () => this.#isPlaced && this.#chart.timeScale().getVisibleLogicalRange()?.from < -5 && onBeginning();
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(this.#readEarlierIfShown);
    this.#paint();
    window.addEventListener('theme', this.#onTheme);
  }

  /**
   * interval: one of INTERVALS; bars as Candles has them, of which only the last one differs as long as no other candle is closed; liquidity as
   * [{time, value}], in order of time. As long as the candles of before are being read (isWhole is false), the newest
   * ones stay in view.
   */
  show(interval, bars, closed, liquidity, isWhole) {
    if (bars.length === 0) {
      return;
    }
    const last = bars.at(-1);
    if (this.#shown !== interval.label) {
      this.#candles.applyOptions({priceFormat: {
        type: 'custom', formatter: value => price(value), minMove: 10 ** -precision(last.close),
      }});
    }
    const local = bars.map(bar => ({...bar, time: localTime(bar.time)}));
    if (this.#shown === interval.label && this.#closed === closed && this.#bars.length === bars.length) {
      this.#candles.update(local.at(-1));
      this.#line.update({time: local.at(-1).time, value: local.at(-1).close});
      this.#volume.update(this.#volumeBar(local.at(-1)));
    } else {
      this.#candles.setData(local);
      this.#line.setData(local.map(bar => ({time: bar.time, value: bar.close})));
      this.#volume.setData(local.map(bar => this.#volumeBar(bar)));
    }
    const windows = new Map();
    this.#length = interval.length / 1000;
    for (const point of liquidity) {
      windows.set(Math.max(bars[0].time, this.#windowOf(point.time)), point.value);
    }
    this.#liquidity?.setData([...windows].filter(([time]) => time <= last.time)
      .map(([time, value]) => ({time: localTime(time), value})));
    if (this.#shown !== interval.label || !this.#isPlaced) {
      this.#chart.timeScale().setVisibleLogicalRange({from: Math.max(-2, bars.length - 110), to: bars.length + 4});
      this.#shown = interval.label;
      this.#isPlaced = isWhole;
    }
    this.#bars = bars;
    this.#closed = closed;
    this.#indicate();
    this.#readEarlierIfShown();
  }

  /** {style: candles | line, log, sma, rsi} */
  look(look) {
    this.#look = {...look};
    this.#candles.applyOptions({visible: look.style !== 'line'});
    this.#line.applyOptions({visible: look.style === 'line'});
    this.#chart.priceScale('right', 0).applyOptions({mode: look.log ? 1 : 0});
    this.#averages.forEach(({series}) => series.applyOptions({visible: look.sma}));
    if (look.rsi && this.#strength === null) {
      this.#strength = this.#chart.addSeries(LineSeries, {lineWidth: 1, priceLineVisible: false, color: color('--warn'),
        priceFormat: {type: 'custom', formatter: value => `RSI ${value.toFixed(0)}`, minMove: 0.1}}, this.#chart.panes().length);
      this.#chart.panes().at(-1).setStretchFactor(1.3);
    } else if (!look.rsi && this.#strength !== null) {
      this.#chart.removeSeries(this.#strength);
      this.#strength = null;
    }
    this.#indicate();
  }

  /** Marks alerts ([{time, text}]) at the bars of their times. */
  mark(alerts) {
    const first = this.#bars[0].time;
    this.#markers.setMarkers(alerts.map(each => ({...each, time: this.#windowOf(each.time)}))
      .filter(each => each.time >= first && each.time <= this.#bars.at(-1).time).sort((a, b) => a.time - b.time)
      .map(each => ({time: localTime(each.time), text: each.text, position: 'aboveBar', shape: 'arrowDown', color: color('--warn')})));
  }

  #windowOf(seconds) {
    return Math.floor(seconds / this.#length) * this.#length;
  }

  #indicate() {
    const closes = this.#bars.map(bar => bar.close);
    const points = values => values.map((value, at) => ({at, value})).filter(({value}) => value !== null)
      .map(({at, value}) => ({time: localTime(this.#bars[at].time), value}));
    if (this.#look.sma) {
      this.#averages.forEach(({length, series}) => series.setData(points(average(closes, length))));
    }
    this.#strength?.setData(points(relativeStrength(closes, 14)));
  }

  clear() {
    this.#shown = '';
    this.#isPlaced = false;
    this.#bars = [];
    this.#candles.setData([]);
    this.#line.setData([]);
    this.#averages.forEach(({series}) => series.setData([]));
    this.#strength?.setData([]);
    this.#markers.setMarkers([]);
    this.#volume.setData([]);
    this.#liquidity?.setData([]);
  }

  close() {
    window.removeEventListener('theme', this.#onTheme);
    this.#chart.remove();
  }

  #volumeBar(bar) {
    return bar.volume === null || bar.volume === undefined ? {time: bar.time}
      : {time: bar.time, value: bar.volume, color: color(bar.close >= bar.open ? '--up' : '--down') + '99'};
  }

  #paint() {
    const [up, down, line, muted, panel] = ['--up', '--down', '--line', '--muted', '--panel'].map(color);
    this.#chart.applyOptions({
      layout: {background: {type: ColorType.Solid, color: panel}, textColor: muted,
        panes: {separatorColor: line, separatorHoverColor: line}},
      grid: {vertLines: {color: line}, horzLines: {color: line}},
      rightPriceScale: {borderColor: line},
      timeScale: {borderColor: line},
    });
    this.#candles.applyOptions({upColor: up, downColor: down, wickUpColor: up, wickDownColor: down, borderVisible: false});
    this.#liquidity?.applyOptions({color: color('--accent')});
    this.#line.applyOptions({color: color('--accent')});
    this.#averages.forEach(({series}, at) => series.applyOptions({color: color(['--warn', '--link'][at])}));
    if (this.#bars.length > 0) {
      this.#volume.setData(this.#bars.map(bar => this.#volumeBar({...bar, time: localTime(bar.time)})));
    }
  }
}

const SHIFT = -new Date().getTimezoneOffset() * 60;

/**
 * The library shows UTC: a time is shifted so that it reads as the local one, with the offset of now for all times, since
 * the library needs them in order also where clocks go back.
 */
function localTime(seconds) {
  return seconds + SHIFT;
}

// The chart of a pool: candles, volume and liquidity, in the colours of the theme.

import {CandlestickSeries, ColorType, HistogramSeries, LineSeries, createChart} from '../vendor/lightweight-charts.js';
import {precision} from '../candles.js';
import {compact, price} from '../text.js';

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A chart in an element of the page; it ends with close(). */
export class PoolChart {
  #chart;
  #candles;
  #volume;
  #liquidity;
  #onTheme = () => this.#paint();
  #shown = '';
  #bars = [];
  #closed = 0;

  constructor(place) {
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
    this.#liquidity = this.#chart.addSeries(LineSeries, {
      lineWidth: 2, priceLineVisible: false,
      priceFormat: {type: 'custom', formatter: value => `$${compact(value)}`, minMove: 0.01},
    }, 2);
    const [candles, volume, liquidity] = this.#chart.panes();
    candles.setStretchFactor(5);
    volume.setStretchFactor(1.3);
    liquidity.setStretchFactor(1.3);
    this.#paint();
    window.addEventListener('theme', this.#onTheme);
  }

  /**
   * bars as Candles has them, of which only the last one differs as long as no other candle is closed; liquidity as
   * [{time, value}], in order of time.
   */
  show(interval, bars, closed, liquidity) {
    if (bars.length === 0) {
      return;
    }
    const last = bars.at(-1);
    if (this.#shown !== interval) {
      this.#candles.applyOptions({priceFormat: {
        type: 'custom', formatter: value => price(value), minMove: 10 ** -precision(last.close),
      }});
    }
    const local = bars.map(bar => ({...bar, time: localTime(bar.time)}));
    if (this.#shown === interval && this.#closed === closed && this.#bars.length === bars.length) {
      this.#candles.update(local.at(-1));
      this.#volume.update(this.#volumeBar(local.at(-1)));
    } else {
      this.#candles.setData(local);
      this.#volume.setData(local.map(bar => this.#volumeBar(bar)));
    }
    const windows = new Map();
    const length = bars.length > 1 ? bars[1].time - bars[0].time : 60;
    for (const point of liquidity) {
      windows.set(Math.max(bars[0].time, Math.floor(point.time / length) * length), point.value);
    }
    this.#liquidity.setData([...windows].filter(([time]) => time <= last.time)
      .map(([time, value]) => ({time: localTime(time), value})));
    if (this.#shown !== interval) {
      this.#chart.timeScale().setVisibleLogicalRange({from: Math.max(-2, bars.length - 110), to: bars.length + 4});
      this.#shown = interval;
    }
    this.#bars = bars;
    this.#closed = closed;
  }

  clear() {
    this.#shown = '';
    this.#bars = [];
    this.#candles.setData([]);
    this.#volume.setData([]);
    this.#liquidity.setData([]);
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
    this.#liquidity.applyOptions({color: color('--accent')});
    if (this.#bars.length > 0) {
      this.#volume.setData(this.#bars.map(bar => this.#volumeBar({...bar, time: localTime(bar.time)})));
    }
  }
}

/** The library shows UTC: a time is shifted so that it reads as the local one. */
function localTime(seconds) {
  return seconds - new Date(seconds * 1000).getTimezoneOffset() * 60;
}

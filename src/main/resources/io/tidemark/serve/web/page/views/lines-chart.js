// Lines over time in one chart, in the colours of the theme.

import {ColorType, LineSeries, createChart} from '../vendor/lightweight-charts.js';

const COLORS = ['--accent', '--up', '--warn', '--down', '--link', '--muted'];

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A chart of lines, each with a title, in an element of the page; format writes a value. It ends with close(). */
export class LinesChart {
  #chart;
  #lines = new Map();
  #format;
  #onTheme = () => this.#paint();

  constructor(place, format) {
    this.#format = format;
    this.#chart = createChart(place, {autoSize: true, layout: {attributionLogo: false, fontSize: 12},
      timeScale: {timeVisible: true, secondsVisible: false}});
    this.#paint();
    window.addEventListener('theme', this.#onTheme);
  }

  /** lines: [title, [{time (seconds), value}] in order of time]; a line that is left out goes */
  show(lines) {
    const titles = new Set(lines.map(([title]) => title));
    [...this.#lines].filter(([title]) => !titles.has(title)).forEach(([title, line]) => {
      this.#chart.removeSeries(line);
      this.#lines.delete(title);
    });
    lines.forEach(([title, points]) => {
      if (!this.#lines.has(title)) {
        this.#lines.set(title, this.#chart.addSeries(LineSeries, {title, lineWidth: 2, lineType: 1, priceLineVisible: false,
          color: color(COLORS[this.#lines.size % COLORS.length]), priceFormat: {type: 'custom', formatter: this.#format, minMove: 0.0001}}));
      }
      const shift = new Date().getTimezoneOffset() * 60; // the library shows UTC
      const byTime = new Map(points.map(({time, value}) => [Math.floor(time) - shift, value]));
      this.#lines.get(title).setData([...byTime].sort(([a], [b]) => a - b).map(([time, value]) => ({time, value})));
    });
    this.#paint();
    this.#chart.timeScale().fitContent();
  }

  close() {
    window.removeEventListener('theme', this.#onTheme);
    this.#chart.remove();
  }

  #paint() {
    const [line, muted, panel] = ['--line', '--muted', '--panel'].map(color);
    this.#chart.applyOptions({
      layout: {background: {type: ColorType.Solid, color: panel}, textColor: muted},
      grid: {vertLines: {color: line}, horzLines: {color: line}}, rightPriceScale: {borderColor: line}, timeScale: {borderColor: line},
    });
    [...this.#lines.values()].forEach((each, at) => each.applyOptions({color: color(COLORS[at % COLORS.length])}));
  }
}

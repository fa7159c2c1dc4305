// Reads all daily candles of a pool from a mirror with the published client library of the interface, page by page:
// node candles.mjs <base URL> <key>. Prints what it got, and what a request is answered that cannot be.

import Coingecko from '@coingecko/coingecko-typescript';

const POOL = '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640';
const client = new Coingecko({baseURL: process.argv[2], demoAPIKey: process.argv[3], maxRetries: 0});
const ask = (timeframe, more) => client.onchain.networks.pools.ohlcv.getTimeframe(timeframe,
  {network: 'eth', pool_address: POOL, ...more});

const all = [];
for (let before = undefined; ;) {
  const {data, meta} = await ask('day', {limit: 1000, before_timestamp: before, currency: 'usd', token: 'base'});
  const page = data.attributes.ohlcv_list;
  console.log('page', page.length, data.type, meta.base.symbol, meta.quote.symbol, meta.base.address);
  if (page.length === 0) {
    break;
  }
  all.push(...page);
  before = page.at(-1)[0];
}
console.log('candles', all.length, 'newest first', all.every((each, i) => i === 0 || each[0] < all[i - 1][0]),
  'closes', all[0][4], 'to', all.at(-1)[4], 'volume', all[0][5]);
console.log('default', (await ask('day')).data.attributes.ohlcv_list.length);

for (const [timeframe, more] of [['minute', {aggregate: '30'}], ['second', {}], ['hour', {currency: 'token'}],
  ['hour', {token: 'quote'}], ['hour', {limit: 2000}]]) {
  try {
    await ask(timeframe, more);
  } catch (failure) {
    console.log(timeframe, JSON.stringify(more), failure.status, JSON.parse(failure.message.slice(4)).errors[0].title);
  }
}

// Reads a mirror with the published client library of the interface: node client.mjs <base URL> [<day>], such as
// http://127.0.0.1:8080/api/v3. Prints a line for each operation: its name, and something that it answered, or that what
// it asks for is not watched. The day, dd-mm-yyyy, is that of the coin's history: two days ago if it is left out.

import Coingecko from '@coingecko/coingecko-typescript';

const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const POOL = '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640';

const twoDaysAgo = new Date(Date.now() - 2 * 24 * 3600 * 1000).toISOString().slice(0, 10).split('-').reverse().join('-');
const day = process.argv[3] ?? twoDaysAgo;

const client = new Coingecko({baseURL: process.argv[2], demoAPIKey: 'any', maxRetries: 0});
const {networks, search} = client.onchain;
const network = 'eth';
const first = answer => `${answer.data.length > 0} ${answer.data[0].attributes.name !== ''}`;

const operations = {
  token: async () => (await networks.tokens.getAddress(WETH, {network})).data.attributes.symbol,
  dex_pools: async () => first(await networks.dexes.getPools('uniswap_v3', {network})),
  trending_pools: async () => first(await networks.trendingPools.getNetwork(network, {duration: '1h', include: 'dex'})),
  new_pools: async () => first(await networks.newPools.getNetwork(network)),
  search_pools: async () => first(await search.pools.get({query: 'weth', network})),
  token_pools: async () => first(await networks.tokens.pools.get(WETH, {network})),
  pool: async () => (await networks.pools.getAddress(POOL, {network, include: 'base_token,quote_token,dex'})).data.id,
  global: async () => (await client.global.get()).data.active_cryptocurrencies > 0,
  coin_history: async () => (await client.coins.history.get('bitcoin', {date: day})).id,
  coin_tickers: async () => (await client.coins.tickers.get('bitcoin')).tickers.length > 0,
  derivatives_exchange: async () =>
    (await client.derivatives.exchanges.getID('deribit', {include_tickers: 'all'})).tickers.length > 0,
  treasury: async () => (await client.publicTreasury.getEntityID('strategy')).holdings.length > 0,
  asset_platforms: async () => (await client.assetPlatforms.get()).length > 0,
};

for (const [operation, ask] of Object.entries(operations)) {
  try {
    console.log(operation, await ask());
  } catch (failure) {
    if (!(failure instanceof Coingecko.NotFoundError)) throw failure;
    console.log(operation, 'not watched:', failure.message);
  }
}

try {
  await networks.newPools.getNetwork('mars');
} catch (failure) {
  console.log('not_watched', failure instanceof Coingecko.NotFoundError, /watch:/.test(failure.message));
}

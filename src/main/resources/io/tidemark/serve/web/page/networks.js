// Where else a pool can be looked at: the explorer of its network, and other charts.

let known = null;

/** Pages about a pool at other sites: [title, address]. None for a network that is not known. */
export async function placesOf(network, address) {
  known ??= fetch('/page/networks.json').then(answer => answer.json());
  const {chart, explorer} = (await known.catch(() => ({})))[network] ?? {};
  const part = encodeURIComponent(address);
  return chart === undefined ? [] : [['Explorer', explorer + part], ['DEX Screener', `https://dexscreener.com/${chart}/${part}`],
    ['GeckoTerminal', `https://www.geckoterminal.com/${encodeURIComponent(network)}/pools/${part}`]];
}

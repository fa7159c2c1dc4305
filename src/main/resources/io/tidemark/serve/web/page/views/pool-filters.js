// Filters of tables of pools.

import {element, select, textField} from '../dom.js';

const AMOUNTS = [['0', 'Any'], ['1000', '$1K or more'], ['10000', '$10K or more'], ['100000', '$100K or more'], ['1000000', '$1M or more']];
const COUNTS = [['0', 'Any'], ['10', '10 or more'], ['100', '100 or more'], ['1000', '1,000 or more']];
const AGES = [['0', 'Any'], ['3600000', '1 hour or less'], ['86400000', '1 day or less'], ['604800000', '7 days or less']];

/** Filters of a table of pools, kept in the address; `names` of them are offered. */
export class PoolFilters {
  #scope;
  #values = {};
  #choices = new Map(); // of networks and exchanges, as they are seen
  #onChange;

  constructor(scope, names, onChange) {
    this.#scope = scope;
    this.#onChange = onChange;
    const fields = {
      network: () => this.#seenChoice('network', 'Network'),
      exchange: () => this.#seenChoice('exchange', 'Exchange'),
      liquidity: () => this.#choice('liquidity', 'Liquidity', AMOUNTS),
      cap: () => this.#choice('cap', 'FDV', AMOUNTS),
      volume: () => this.#choice('volume', 'Volume 24h', AMOUNTS),
      trades: () => this.#choice('trades', 'Trades 24h', COUNTS),
      age: () => this.#choice('age', 'Age', AGES),
      text: () => textField('Name', 'name, symbol or address', this.#value('text'), value => this.#set('text', value)),
    };
    this.node = element('div.filters', {}, ...names.map(each => fields[each]()));
  }

  /** Offers the network and the exchange of a row as choices. */
  see(row) {
    this.#offer('network', row.network);
    this.#offer('exchange', row.dex);
  }

  passes(row, now) {
    const least = (name, value) => Number(this.#value(name)) === 0 || (value ?? -1) >= Number(this.#value(name));
    const trades = row.trades.h24 ? row.trades.h24.buys + row.trades.h24.sells : null;
    return ['', row.network].includes(this.#value('network')) && ['', row.dex].includes(this.#value('exchange'))
      && row.searched.includes(this.#value('text')) && least('liquidity', row.reserve) && least('cap', row.fdv)
      && least('volume', row.volumes.h24) && least('trades', trades)
      && (Number(this.#value('age')) === 0 || (row.createdAt !== null && now - row.createdAt <= Number(this.#value('age'))));
  }

  #value(name) {
    return this.#values[name] ??= this.#scope.chosen(name);
  }

  #set(name, value) {
    this.#values[name] = value;
    this.#scope.choose(name, value === '0' ? '' : value);
    this.#onChange();
  }

  #choice(name, title, choices) {
    return select(title, choices, this.#value(name) || '0', value => this.#set(name, value));
  }

  #seenChoice(name, title) {
    const chosen = this.#value(name);
    const field = select(title, [['', 'All'], ...(chosen === '' ? [] : [[chosen, chosen]])], chosen, value => this.#set(name, value));
    this.#choices.set(name, {field, seen: new Set([chosen])});
    return field;
  }

  #offer(name, value) {
    const choices = this.#choices.get(name);
    if (choices !== undefined && value && !choices.seen.has(value)) {
      choices.seen.add(value);
      choices.field.lastElementChild.append(element('option', {value}, value));
    }
  }
}

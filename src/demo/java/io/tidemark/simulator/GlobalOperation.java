package io.tidemark.simulator;

import io.tidemark.event.Global;
import io.tidemark.event.GlobalCounts;
import io.tidemark.event.GlobalDominance;
import io.tidemark.event.GlobalMarketCap;
import io.tidemark.event.GlobalTimes;
import io.tidemark.event.GlobalVolume;
import io.tidemark.market.Observation;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** Operation 8 of the service: the figures of the global market, as sums over all coins. */
record GlobalOperation(CoinPrices coins, CurrencyRates currencies, long markets) {
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final int TOP = 10;
  private static final long ENDED_ICOS = 3_376;

  Observation<Global> answer(long at) {
    var global = new Global();
    global.setCounts(new GlobalCounts((long) SimulatedCoin.ALL.size(), 0L, 49L, ENDED_ICOS, markets));
    double cap = cap(at);
    double volume = volume(at);
    global.setMarketCap(new GlobalMarketCap(currencies.of(cap, at), move(cap(at - DAY), cap)));
    global.setVolume(new GlobalVolume(currencies.of(volume, at), move(volume(at - DAY), volume)));
    global.setDominance(new GlobalDominance(dominance(cap, at)));
    global.setTimes(new GlobalTimes(at / 1000));
    return Observation.of(global);
  }

  private double cap(long at) {
    return SimulatedCoin.ALL.stream().mapToDouble(coin -> coins.cap(coin, at)).sum();
  }

  private double volume(long at) {
    return SimulatedCoin.ALL.stream().mapToDouble(coin -> coins.volume(coin, at)).sum();
  }

  private Map<String, Double> dominance(double total, long at) {
    var shares = new TreeMap<String, Double>();
    SimulatedCoin.ALL.stream()
        .sorted(Comparator.comparingDouble((SimulatedCoin coin) -> coins.cap(coin, at)).reversed())
        .limit(TOP)
        .forEach(coin -> shares.put(coin.symbol(), AnswerFormats.number(100 * coins.cap(coin, at) / total)));
    return shares;
  }

  private static double move(double before, double after) {
    return AnswerFormats.number(100 * (after / before - 1));
  }
}

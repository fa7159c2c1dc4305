package io.tidemark.bench;

import io.tidemark.bench.Throughput.Clock;
import io.tidemark.change.ChangeSet;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.ProducerFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a change costs while 10 and 100 times as many resources are watched. The limit is the same with a hundredth of
 * the resources, in the same process.
 */
final class GrowthBench implements BenchPart {
  private static final List<Integer> TIMES = List.of(10, 100);
  private static final int MOST_TIMES = 100;

  /** Flat within 20 %. */
  private static final double REACH = 1 / 1.2;

  private static final int SNAPSHOTS = 8;
  private static final int TRANSACTIONS = 8;

  /** A prime number: all pages come in turn, and none beside the one before. */
  private static final int STRIDE = 7_919;

  @Override
  public String name() {
    return "growth";
  }

  @Override
  public String description() {
    return "changes detected, and changes committed, while 10 and 100 times as many resources are watched (--resources);"
        + " limit: with a hundredth of them";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var least = settings.resources() / MOST_TIMES / RestoreBench.RESOURCES_OF_PAGE;
    var pages = new SimulatedPages(Instant.now());
    var results = new ArrayList<BenchResult>();
    for (var times : TIMES) {
      try (var few = new WatchedPages(kafka, pages, least, progress);
          var many = new WatchedPages(kafka, pages, least * times, progress)) {
        results.add(new Throughput("growth, detect at %dx".formatted(times), "changes/s", REACH, Clock.PROCESSOR,
            many::detect, few::detect).measure(settings, progress));
        results.add(new Throughput("growth, ledger at %dx".formatted(times), "changes/s", REACH, Clock.PROCESSOR,
            many::commit, few::commit).measure(settings, progress));
      }
    }
    return results;
  }

  /** A ledger that knows the first of so many pages. */
  private static final class WatchedPages implements AutoCloseable {
    private final BenchSource source;
    private final Ledger ledger;
    private final SimulatedPages pages;
    private final int count;
    private final List<List<ChangeSet>> transactions = new ArrayList<>();
    private int next;

    WatchedPages(BenchKafka kafka, SimulatedPages pages, int count, BenchProgress progress) {
      this.pages = pages;
      this.count = Math.max(1, count);
      source = BenchSource.create(kafka);
      ledger = source.ledger(ProducerFactory.KAFKA);
      source.fill(ledger, pages, this.count, progress);
      for (var transaction = 0; transaction < TRANSACTIONS; transaction++) {
        transactions.add(Stream.generate(this::detected).limit(SNAPSHOTS).toList());
      }
    }

    /** The change set of the next page, which is known as it was first. */
    private ChangeSet detected() {
      next = (next + STRIDE) % count;
      return pages.detector().detect(pages.snapshot(next, 1, pages.at(1)), ledger.states());
    }

    long detect() {
      return LedgerBench.changes(detected());
    }

    long commit() {
      next++;
      var transaction = transactions.get(next % transactions.size());
      ledger.commit(transaction);
      return transaction.stream().mapToLong(LedgerBench::changes).sum();
    }

    @Override
    public void close() {
      ledger.close();
      source.close();
    }
  }
}

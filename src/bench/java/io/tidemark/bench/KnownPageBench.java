package io.tidemark.bench;

import io.tidemark.bench.BenchResult.Round;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.market.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The bench part that measures the processor time of a page of 20 pools, from its bytes to its commit, in a ledger that
 * knows ten times as many resources as other parts watch, a million at most. Each page is different from the pages
 * before, so that none of its states was read before.
 */
final class KnownPageBench implements BenchPart {
  /** Maximum milliseconds of one core per page. */
  private static final double AIM = 3;

  private static final double MILLISECOND = 1e6;

  /**
   * Factor by which the warm-up is longer than in other parts, because the compilers of the JVM are behind after a
   * restore and still have to compile all code that handles a page.
   */
  private static final int TIMES_WARM_UP = 10;

  @Override
  public String name() {
    return "page";
  }

  @Override
  public String description() {
    return "processor time of a page of 20 pools, from its bytes to its commit at 8 snapshots a transaction, while ten"
        + " times --resources are known, a million at most";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var source = kafka.filled(RestoreBench.restored(settings), progress).source();
    try (var ledger = source.ledger(ProducerFactory.KAFKA)) {
      var pages = new PolledPages(ledger, RestoreBench.restored(settings) / RestoreBench.RESOURCES_OF_PAGE);
      pages.millis(settings.warmUp().multipliedBy(TIMES_WARM_UP));
      var rounds = new ArrayList<Round>();
      for (var round = 0; round < settings.rounds(); round++) {
        rounds.add(new Round(pages.millis(settings.round())));
        progress.update(round + 1L, settings.rounds());
      }
      return List.of(BenchResult.lessIsBetter("page", "ms", rounds, AIM));
    }
  }

  /** All pages that a ledger knows, polled one after the other. */
  private static final class PolledPages {
    private final Ledger ledger;
    private final int count;
    private final SimulatedPages pages = new SimulatedPages(Instant.now());
    private int polled;

    PolledPages(Ledger ledger, int count) {
      this.ledger = ledger;
      this.count = count;
    }

    /** Returns the milliseconds of processor time per page, measured over at least the given processor time. */
    double millis(Duration atLeast) {
      var detector = pages.detector();
      var clock = Throughput.Clock.PROCESSOR;
      var before = polled;
      var begun = clock.nanos();
      long taken;
      do {
        for (var snapshot = 0; snapshot < LedgerBench.SNAPSHOTS; snapshot++) {
          ledger.append(detector.detect(next(), ledger.states()));
        }
        ledger.commit();
        taken = clock.nanos() - begun;
      } while (taken < atLeast.toNanos());
      return taken / MILLISECOND / (polled - before);
    }

    private Snapshot next() {
      var step = 1 + polled / count;
      var number = (int) ((long) polled * GrowthBench.STRIDE % count);
      polled++;
      return pages.snapshot(number, step, pages.at(step));
    }
  }
}

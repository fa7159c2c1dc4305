package io.tidemark.cli.demo;

import io.tidemark.cli.print.RecordPrinter;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.event.Alert;
import io.tidemark.event.ChangeView;
import io.tidemark.event.FacetView.DerivedFigure;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.UnreadableRecord;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;

/**
 * A printer of changes as they come, at a pace that people can read. Every two seconds it prints the first two alerts
 * and at most two changes, in the order of time. The changes are the most significant ones of two kinds of resources:
 * of those that were printed longest ago, but kinds whose changes are all insignificant come last. Other changes, and
 * changes that are older than the last printed change, are only counted. An unreadable record is printed at once.
 * Twice a minute the printer prints the counts, with the baselines apart, and suggests a command.
 */
final class LiveChangesPrinter implements Predicate<CommittedRecord> {

  private static final int CHANGES_PER_ROUND = 2;
  private static final int ALERTS_PER_ROUND = 2;
  private static final int NAMED_KINDS = 3;
  private static final Duration ROUND = Duration.ofSeconds(2);
  private static final Duration BETWEEN_FOOTERS = Duration.ofSeconds(30);
  private static final Duration FIRST_BASELINES = Duration.ofSeconds(4);

  private static final double APPEARED = 1_000;
  private static final double ENTERED = 20;
  private static final double REMOVED = 5;
  private static final double ANY = 0.01;

  private final RecordPrinter printer;
  private final PrintWriter out;
  private final InstantSource clock;
  private final Consumer<UnreadableRecord> unreadable;
  private final List<String> tips;

  private final Map<String, Integer> baseline = new TreeMap<>();
  private final Map<String, CommittedRecord> candidates = new HashMap<>();
  private final List<CommittedRecord> alertsOfRound = new ArrayList<>();
  private final Map<String, Long> lastPrinted = new HashMap<>();
  private Instant newestPrinted = Instant.MIN;
  private Instant roundEnd;
  private Instant footerAt;
  private Instant baselineAt;
  private long changesPrinted;
  private long changes;
  private long alerts;
  private int footers;

  /**
   * @param out receives lines that are already escaped
   * @param unreadable receives each record that cannot be decoded
   * @param tips commands to suggest, in turn
   */
  LiveChangesPrinter(RecordPrinter printer, PrintWriter out, InstantSource clock,
      Consumer<UnreadableRecord> unreadable, List<String> tips) {
    this.printer = printer;
    this.out = out;
    this.clock = clock;
    this.unreadable = unreadable;
    this.tips = tips;
    this.roundEnd = clock.instant().plus(ROUND);
    this.footerAt = clock.instant().plus(BETWEEN_FOOTERS);
    this.baselineAt = clock.instant().plus(FIRST_BASELINES);
  }

  /** Prints or counts a record, and returns true to ask for more. */
  @Override
  public boolean test(CommittedRecord record) {
    tick();
    if (record.unreadable() != null) {
      unreadable.accept(record.unreadable());
      print(record);
      return true;
    }
    printer.learn(record);
    var value = record.value();
    if (value instanceof Alert) {
      alerts++;
      if (alertsOfRound.size() < ALERTS_PER_ROUND) {
        alertsOfRound.add(record);
      }
    } else if (value != null && isBaseline(value)) {
      baseline.merge(ChangeView.of(value).resource(), 1, Integer::sum);
    } else if (value != null) {
      changes++;
      if (!record.time().isBefore(newestPrinted)) {
        candidates.merge(ChangeView.of(value).resource(), record,
            (one, other) -> weight(other) > weight(one) ? other : one);
      }
    }
    return true;
  }

  /** Prints the lines that are due, even if no record comes. */
  void tick() {
    var now = clock.instant();
    if (!now.isBefore(roundEnd)) {
      roundEnd = now.plus(ROUND);
      endRound();
      if (!now.isBefore(baselineAt)) {
        baselineAt = now.plus(BETWEEN_FOOTERS);
        printBaseline();
      }
      if (!now.isBefore(footerAt)) {
        footerAt = now.plus(BETWEEN_FOOTERS);
        printFooter();
      }
    }
  }

  private void endRound() {
    var changesOfRound = candidates.entrySet().stream()
        .sorted(Comparator.comparing((Map.Entry<String, CommittedRecord> each) -> weight(each.getValue()) < ANY)
            .thenComparing(each -> lastPrinted.getOrDefault(each.getKey(), -1L))
            .thenComparingDouble(each -> -weight(each.getValue())))
        .limit(CHANGES_PER_ROUND)
        .sorted(Comparator.comparing(each -> each.getValue().time()))
        .toList();
    changesOfRound.forEach(each -> {
      lastPrinted.put(each.getKey(), changesPrinted++);
      newestPrinted = each.getValue().time();
    });
    Stream.concat(changesOfRound.stream().map(Map.Entry::getValue), alertsOfRound.stream())
        .sorted(Comparator.comparing(CommittedRecord::time))
        .forEach(this::print);
    candidates.clear();
    alertsOfRound.clear();
  }

  private void print(CommittedRecord record) {
    out.println(printer.print(record));
    out.flush();
  }

  private void printBaseline() {
    if (!baseline.isEmpty()) {
      var most = baseline.entrySet().stream()
          .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
          .limit(NAMED_KINDS)
          .toList();
      var others = baseline.values().stream().mapToInt(count -> count).sum()
          - most.stream().mapToInt(Map.Entry::getValue).sum();
      note("read for the first time, so no change to show: " + most.stream()
          .map(each -> counted(each.getValue(), each.getKey().replace("coin-day", "day of coin history")))
          .collect(Collectors.joining(", ")) + (others > 0 ? ", " + others + " of other kinds" : ""));
      baseline.clear();
    }
  }

  /** Returns a count and a kind. The first word of the kind is put into the plural if necessary. */
  private static String counted(int count, String kind) {
    var words = kind.split(" ", 2);
    return TerminalText.counted(count, words[0]) + (words.length == 1 ? "" : " " + words[1]);
  }

  private void printFooter() {
    var tip = tips.isEmpty() ? "" : tips.get(footers++ % tips.size());
    note("so far %s and %s; shown here: a sample of %,d".formatted(TerminalText.counted(changes, "change"),
        TerminalText.counted(alerts, "alert"), changesPrinted));
    if (!tip.isEmpty()) {
      out.println(printer.command("in another terminal:", tip));
      out.flush();
    }
  }

  private void note(String text) {
    out.println(printer.note(text));
    out.flush();
  }

  /**
   * Returns the significance of a change. Appearances, removals, changes of visibility, and changed orders of lists
   * have fixed values. Any other change has the largest absolute value of its derived figures, most of which are
   * moves in percent.
   */
  private static double weight(CommittedRecord record) {
    var value = record.value();
    if (value == null) {
      return 0;
    }
    var view = ChangeView.of(value);
    if (view.appeared(value) != null) {
      return APPEARED;
    }
    if (view.removed(value) != null || view.visibility(value) != null) {
      return REMOVED;
    }
    return view.facets().stream()
        .mapToDouble(facet -> {
          var change = facet.changeIn(value);
          return change == null || !facet.isChanged(change) ? 0 : weight(change, facet.derived());
        })
        .max()
        .orElse(0);
  }

  private static double weight(IndexedRecord change, List<DerivedFigure> figures) {
    if (change instanceof RankingOrderChange order) {
      return order.getEntered().isEmpty() ? ANY : ENTERED;
    }
    return figures.stream()
        .map(figure -> figure.in(change))
        .mapToDouble(percent -> percent == null ? 0 : Math.abs(percent))
        .max()
        .orElse(0);
  }

  private static boolean isBaseline(SpecificRecord value) {
    var origin = ChangeView.of(value).origin(value);
    return origin != null && origin.getBaseline();
  }
}

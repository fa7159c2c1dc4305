package io.tidemark.cli.print;

import io.tidemark.event.ChangeView;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.UnreadableRecord;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/**
 * Prints changes as they come, at a rate that people can read: a few lines a second, the rest as a count. Changes of
 * the baseline are counted too.
 */
public final class LiveChangesPrinter implements Predicate<CommittedRecord> {

  private static final int LINES_PER_SECOND = 10;

  /** Keeps frequent changes of one topic from displacing rare ones of another. */
  private static final int LINES_PER_TOPIC = 3;

  private final RecordPrinter printer;
  private final PrintWriter out;
  private final InstantSource clock;
  private final Consumer<UnreadableRecord> unreadable;
  private final Map<String, Integer> baseline = new TreeMap<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private Instant second = Instant.MIN;
  private int printed;
  private int omitted;

  /** @param unreadable hears of each record that cannot be decoded, printed or not */
  public LiveChangesPrinter(
      RecordPrinter printer, PrintWriter out, InstantSource clock, Consumer<UnreadableRecord> unreadable) {
    this.printer = printer;
    this.out = out;
    this.clock = clock;
    this.unreadable = unreadable;
  }

  /** Prints or counts a record; always asks for more. */
  @Override
  public boolean test(CommittedRecord record) {
    var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    if (!now.equals(second)) {
      endSecond();
      second = now;
    }
    if (record.unreadable() != null) {
      unreadable.accept(record.unreadable());
    }
    var value = record.value();
    if (value != null && isBaseline(value)) {
      baseline.merge(ChangeView.of(value).resource(), 1, Integer::sum);
    } else if (lines.merge(record.topic(), 1, Integer::sum) <= LINES_PER_TOPIC && printed < LINES_PER_SECOND) {
      out.println(printer.print(record));
      printed++;
    } else {
      omitted++;
    }
    return true;
  }

  private void endSecond() {
    if (omitted > 0) {
      out.println("         ... and " + omitted + " more in this second");
    }
    if (!baseline.isEmpty()) {
      out.println("         baseline: " + baseline.entrySet().stream()
          .map(each -> each.getValue() + " " + each.getKey())
          .collect(Collectors.joining(", ")));
    }
    lines.clear();
    printed = 0;
    omitted = 0;
    baseline.clear();
  }

  private static boolean isBaseline(SpecificRecord value) {
    var origin = ChangeView.of(value).origin(value);
    return origin != null && origin.getBaseline();
  }
}

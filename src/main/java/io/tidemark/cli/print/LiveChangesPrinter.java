package io.tidemark.cli.print;

import io.tidemark.cli.wiring.FoundRecord;
import io.tidemark.event.Origin;
import java.io.PrintStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What changes, as lines on a terminal: no more a second than can be read; what was there from the start is counted. */
public final class LiveChangesPrinter implements Predicate<FoundRecord> {

  private static final int LINES_A_SECOND = 10;
  /** Of one topic: a rare change is not to be lost among frequent ones. */
  private static final int LINES_OF_A_TOPIC = 3;

  private final RecordPrinter text;
  private final PrintStream out;
  private final InstantSource clock;
  private final TreeMap<String, Integer> baseline = new TreeMap<>();
  private Instant second = Instant.MIN;
  private final Map<String, Integer> lines = new HashMap<>();
  private int printed;
  private int passedOver;

  public LiveChangesPrinter(RecordPrinter text, PrintStream out, InstantSource clock) {
    this.text = text;
    this.out = out;
    this.clock = clock;
  }

  /** Always wants more. */
  @Override
  public boolean test(FoundRecord found) {
    var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    if (!now.equals(second)) {
      endSecond();
      second = now;
    }
    if (isBaseline(found)) {
      baseline.merge(found.topic().name(), 1, Integer::sum);
    } else if (lines.merge(found.topic().name(), 1, Integer::sum) <= LINES_OF_A_TOPIC && printed < LINES_A_SECOND) {
      out.println(text.of(found));
      printed++;
    } else {
      passedOver++;
    }
    return true;
  }

  private void endSecond() {
    if (passedOver > 0) {
      out.println("         ... and " + passedOver + " more in this second");
    }
    if (!baseline.isEmpty()) {
      out.println("         found at the start: " + baseline.entrySet().stream()
          .map(each -> each.getValue() + " " + RecordPrinter.resource(each.getKey()))
          .collect(Collectors.joining(", ")));
    }
    lines.clear();
    printed = 0;
    passedOver = 0;
    baseline.clear();
  }

  private static boolean isBaseline(FoundRecord found) {
    if (found.value() == null) {
      return false;
    }
    var field = found.value().getSchema().getField("origin");
    return field != null && found.value().get(field.pos()) instanceof Origin origin && origin.getBaseline();
  }
}

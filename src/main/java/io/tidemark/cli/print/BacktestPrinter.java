package io.tidemark.cli.print;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A tally for people: a line for each rule with its figures and a chart of when it fired. */
public final class BacktestPrinter {

  private static final String BARS = " ▁▂▃▄▅▆▇█";

  private BacktestPrinter() {}

  public static String of(BacktestResult tally) {
    var lines = new ArrayList<String>();
    lines.add("%s to %s, %.2f days".formatted(tally.from(), tally.to(), tally.days()));
    lines.add(line("rule", "version", "fires", "resolves", "passed", "per day", "when"));
    tally.rules().forEach((name, rule) -> lines.add(line(
        name,
        rule.versions().stream().map(String::valueOf).collect(Collectors.joining(",")),
        Long.toString(rule.fires()),
        Long.toString(rule.resolves()),
        Long.toString(rule.passed()),
        String.format(Locale.ROOT, "%.1f", rule.perDay()),
        "|" + chart(rule.byPart()) + "|")));
    if (tally.alerts().isEmpty()) {
      lines.add("nothing fired");
    }
    return String.join("\n", lines);
  }

  /** One character a part, as high as the part against the highest. */
  static String chart(long[] parts) {
    var highest = Math.max(1, Arrays.stream(parts).max().orElse(1));
    return Arrays.stream(parts)
        .mapToObj(part -> String.valueOf(BARS.charAt((int) Math.ceil(8.0 * part / highest))))
        .collect(Collectors.joining());
  }

  private static String line(String... cells) {
    return "%-22s %8s %7s %9s %7s %9s  %s".formatted(List.of(cells).toArray());
  }
}

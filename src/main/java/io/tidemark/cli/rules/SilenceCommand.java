package io.tidemark.cli.rules;

import io.tidemark.app.CommandFailure;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.event.DurationFormat;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.RuleFormat;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Silences alerts, and ends silences. */
@Command(
    name = "silence",
    mixinStandardHelpOptions = true,
    description = "Keeps alerts from receivers for a time. Receivers still learn of resolved alerts. Silenced alerts are still"
        + " written, and marked as silenced.")
final class SilenceCommand extends CliCommand implements Runnable {

  @Option(names = "--rule", paramLabel = "NAME", description = "Alerts of this rule.")
  @Nullable
  String rule;

  @Option(names = "--subject", paramLabel = "KEY", description = "Alerts about this resource, such as eth_0x88e6...")
  @Nullable
  String subject;

  @Option(names = "--label", paramLabel = "NAME=VALUE", description = "Alerts with this label; may be repeated.")
  Map<String, String> labels = Map.of();

  @Option(names = "--for", paramLabel = "DURATION", defaultValue = "1h",
      description = "Length of the silence, such as 30m, 6h or 7d (default: ${DEFAULT-VALUE}).")
  String length = "1h";

  @Option(names = "--comment", paramLabel = "TEXT", description = "The reason, for others to read.")
  String comment = "";

  @Option(names = "--end", paramLabel = "ID", description = "Ends a silence; 'rules list' shows the ids.")
  @Nullable
  String end;

  @Mixin
  WatchTopicClient watch = new WatchTopicClient();

  @Override
  public void run() {
    if (end != null) {
      end(end);
      out().println("ended silence " + end);
    } else {
      var silence = silence();
      check(silence);
      watch.publish(RuleAnnouncements.SILENCE, silence.id(), RuleFormat.writeSilences(0, List.of(silence)));
      out().println("silence " + silence.id() + " until " + silence.until());
    }
  }

  private void end(String id) {
    if (watch.announcements().silences().stream().noneMatch(each -> each.id().equals(id))) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "there is no silence '" + id + "'; 'tidemark rules list' shows the silences");
    }
    watch.publish(RuleAnnouncements.SILENCE, id, null);
  }

  private Silence silence() {
    var from = WatchTopicClient.now();
    try {
      var id = Long.toString(from.toEpochMilli(), Character.MAX_RADIX);
      return new Silence(id, rule, subject, labels, from, until(from), WatchTopicClient.user(), comment);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage()
          + (rule == null && subject == null && labels.isEmpty() ? "; name --rule, --subject or --label" : ""));
    }
  }

  private Instant until(Instant from) {
    var duration = DurationFormat.OF_RULES.parse(length);
    if (duration == null || duration.compareTo(Silence.LONGEST) > 0) {
      throw wrongUsage("--for: '" + length + "' is not a duration such as 30m, 6h or 7d, at most "
          + Silence.LONGEST.toDays() + "d");
    }
    return from.plus(duration);
  }

  private void check(Silence silence) {
    var announcements = watch.announcements();
    var known = announcements.inForce().rules();
    if (rule != null && !known.isEmpty() && known.stream().noneMatch(each -> each.name().equals(rule))) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "no rule in force is named '" + rule + "'; 'tidemark rules list' shows the rules in force");
    }
    var others = announcements.silences().stream().filter(each -> each.until().isAfter(silence.from())).toList();
    try {
      RuleAnnouncements.requireWithinLimits(silence, others);
    } catch (IllegalStateException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, String.valueOf(e.getMessage()));
    }
  }
}

package io.tidemark.capture.source;

import io.tidemark.capture.poll.WatchList;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.DurationFormat;
import io.tidemark.event.NameSuggestion;
import io.tidemark.event.TargetState;
import io.tidemark.event.Watch;
import io.tidemark.market.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The targets that a source watches: those in its configuration, and those that commands on the topic {@code watch}
 * added. Checks the commands that add and remove targets.
 */
public final class WatchedBySource {

  private final SourceSettings settings;
  private final Map<String, Watch> commands = new TreeMap<>();
  private final List<Addition> additions = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final Map<String, Instant> observed = new HashMap<>();

  /**
   * A target of the watch list, and who added it; {@code at} and {@code until} are null for a configured target.
   *
   * @param refusal why the target is not watched; null if it is
   */
  public record WatchedRow(String target, int pages, double weight, @Nullable Instant observedAt, String addedBy,
      @Nullable Instant at, @Nullable Instant until, @Nullable String refusal) {}

  private record Addition(Watch command, AddedTarget target) {}

  /**
   * @param commands newest commands of the topic {@code watch}, at most one of each kind and name
   * @param states newest states of the targets
   */
  public WatchedBySource(SourceSettings settings, Collection<Watch> commands, Collection<TargetState> states) {
    this.settings = settings;
    commands.stream()
        .filter(command -> command.getKind().equals(AddedTarget.KIND) && command.getText() != null)
        .forEach(command -> this.commands.put(command.getName(), command));
    this.commands.values().forEach(this::add);
    states.stream()
        .filter(state -> !Objects.equals(state.getObservedPages(), 0))
        .forEach(state -> observed.put(state.getTarget(), state.getObservedAt()));
  }

  /** Returns the configured targets, then the added targets whose time is not over at the given time. */
  public List<WatchedRow> rows(Instant now) {
    var refusals = refusals(now);
    return Stream.concat(
        settings.watch().targets().stream().map(each -> row(each, "configuration", null, null, null)),
        running(now).stream().map(each -> row(each.target.watched(), each.command.getWho(), each.command.getAt(),
            each.target.until(), refusals.get(each.target.watched().target().name()))))
        .toList();
  }

  private WatchedRow row(WatchedTarget watched, String addedBy, @Nullable Instant at, @Nullable Instant until,
      @Nullable String refusal) {
    var target = watched.target();
    return new WatchedRow(
        target.name(), target.pages(), watched.weight(), observed.get(target.name()), addedBy, at, until, refusal);
  }

  /** Returns the watch list at the given time, with the configured targets and the added ones that are not refused. */
  public WatchList watchList(Instant now) {
    var refusals = refusals(now);
    var added = running(now).stream().map(each -> each.target.watched())
        .filter(each -> !refusals.containsKey(each.target().name()));
    return new WatchList(Stream.concat(settings.watch().targets().stream(), added).toList(),
        settings.watch().histories(), settings.watch().maxAge());
  }

  /** Returns why the owner does not watch added targets. The reasons follow from the configuration and the commands. */
  private Map<String, String> refusals(Instant now) {
    var added = running(now).stream().map(each -> each.target.watched()).toList();
    return settings.additions().refusals(settings.watch(), added, settings.limits());
  }

  /**
   * Returns the command that adds a target, which {@link #checkAddition} has yet to check.
   *
   * @param name path of the interface, with its parameters
   * @param length how long to watch the target; null to watch it until it is removed
   * @throws IllegalArgumentException if this is no target that can be watched
   */
  public static Watch addition(SourceSettings settings, String name, int pages, double weight,
      @Nullable String length, String who, Instant now) {
    var duration = length == null ? null : DurationFormat.OF_CONFIGURATION.parse(length);
    if (length != null && (duration == null || !duration.isPositive())) {
      throw new IllegalArgumentException(
          "for: '" + length + "' is not " + DurationFormat.OF_CONFIGURATION.example());
    }
    var text = AddedTarget.text(pages, weight, duration == null ? null : now.plus(duration));
    try {
      var target = settings.additions().reader().apply(name, text);
      return command(target.watched().target().name(), text, who, now);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("'" + name + "' cannot be watched: " + e.getMessage(), e);
    }
  }

  /**
   * Checks a command that adds a target.
   *
   * @throws IllegalStateException if the target is watched already, or the budget does not suffice
   */
  public void checkAddition(Watch addition) {
    var now = addition.getAt();
    var target = read(addition).watched().target();
    var refusals = refusals(now);
    Stream.concat(settings.watch().targets().stream(), running(now).stream().map(each -> each.target.watched()))
        .map(WatchedTarget::target)
        .filter(each -> each.query().subject().equals(target.query().subject()))
        .filter(each -> !each.name().equals(target.name()) || !refusals.containsKey(each.name()))
        .findFirst().ifPresent(same -> {
          var refusal = refusals.get(same.name());
          throw new IllegalStateException(refusal == null
              ? target.name() + " is watched already, as " + same.name()
                  + ". A target cannot be watched twice with different parameters"
              : target.name() + " cannot be added: " + same.name() + " was added before and is not watched (" + refusal
                  + "); remove " + same.name() + " first");
        });
    var others = running(now).stream().map(each -> each.target.watched().target())
        .filter(each -> !refusals.containsKey(each.name())).mapToInt(Target::pages).sum();
    var refusal = settings.additions().refusal(settings.watch(), others + target.pages(), settings.limits());
    if (refusal != null) {
      throw new IllegalStateException(target.name() + " cannot be added: " + refusal);
    }
  }

  /**
   * Returns the command that removes an added target.
   *
   * @throws NoSuchElementException if the target is not watched
   * @throws IllegalStateException if the target is configured
   */
  public Watch remove(String name, String who, Instant now) {
    var canonical = canonical(name);
    if (commands.containsKey(canonical)) {
      return command(canonical, null, who, now);
    }
    if (isConfigured(canonical)) {
      throw new IllegalStateException(
          canonical + " is watched by the configuration; remove the target from the configuration, and restart");
    }
    throw new NoSuchElementException(name + " is not watched; " + NameSuggestion.suggestion(
        name, commands.keySet(), "the list of watched targets has the names"));
  }

  private static Watch command(String name, @Nullable String text, String who, Instant now) {
    return Watch.newBuilder().setKind(AddedTarget.KIND).setName(name).setText(text).setWho(who).setAt(now).build();
  }

  private boolean isConfigured(String name) {
    return settings.watch().targets().stream().anyMatch(each -> each.target().name().equals(name));
  }

  /** Returns the canonical name of a target, or the name unchanged if it names no target. */
  private String canonical(String name) {
    try {
      return settings.additions().reader().apply(name, AddedTarget.text(1, 1, null)).watched().target().name();
    } catch (RuntimeException e) {
      return name;
    }
  }

  /** Returns the reasons why added targets are not watched: commands that cannot be read. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  private void add(Watch command) {
    try {
      additions.add(new Addition(command, read(command)));
    } catch (RuntimeException e) {
      problems.add(command.getName() + " of " + command.getWho() + " cannot be watched: " + e.getMessage());
    }
  }

  /** Returns the added targets whose time is not over, except those that the configuration also watches. */
  private List<Addition> running(Instant now) {
    var configured = settings.watch().targets().stream().map(each -> each.target().query().subject()).toList();
    return additions.stream()
        .filter(each -> !configured.contains(each.target.watched().target().query().subject()))
        .filter(each -> each.target.isWatched(now))
        .toList();
  }

  private AddedTarget read(Watch command) {
    return settings.additions().reader().apply(command.getName(), Objects.requireNonNull(command.getText()));
  }
}

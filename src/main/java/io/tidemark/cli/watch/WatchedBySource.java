package io.tidemark.cli.watch;

import io.tidemark.capture.poll.WatchList;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.capture.source.AddedTarget;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.command.ClusterOptions;
import io.tidemark.cli.rules.WatchTopicClient;
import io.tidemark.event.TargetState;
import io.tidemark.event.Watch;
import io.tidemark.market.Query;
import io.tidemark.market.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The targets that a source watches: those in its configuration, and those that commands on the topic {@code watch}
 * added.
 *
 * @param added targets that commands added and none removed, by name, including those whose time is over
 * @param observed time of the last observation of each target, by the name of the target
 */
public record WatchedBySource(
    SourceSettings settings, Map<String, RequestedTarget> added, Map<String, Instant> observed) {

  private static final String PREFIX = AddedTarget.KIND + "/";
  private static final Logger LOG = LoggerFactory.getLogger(WatchedBySource.class);

  /**
   * A command that added a target.
   *
   * @param who author of the command
   * @param at time of the command
   * @param target the target; null if the command cannot be read
   */
  public record RequestedTarget(String who, Instant at, @Nullable AddedTarget target) {

    boolean isWatched(Instant now) {
      return target != null && target.isWatched(now);
    }
  }

  static WatchedBySource read(WatchTopicClient client) {
    return read(client.cluster, client.cluster.source(client.source));
  }

  /** Reads the topics of a source to their ends. */
  public static WatchedBySource read(ClusterOptions cluster, SourceSettings settings) {
    var topics = cluster.topicsOf(settings.name());
    var added = new TreeMap<String, RequestedTarget>();
    cluster.readAll(topics.watch(), record -> {
      if (record.value() instanceof Watch command && command.getKind().equals(AddedTarget.KIND)) {
        apply(command, settings, added);
      } else if (record.value() == null && record.key() != null && record.key().startsWith(PREFIX)) {
        added.remove(record.key().substring(PREFIX.length()));
      }
    });
    var observed = new TreeMap<String, Instant>();
    cluster.readAll(topics.targetState(), record -> {
      if (record.value() instanceof TargetState state && !Objects.equals(state.getObservedPages(), 0)) {
        observed.put(state.getTarget(), state.getObservedAt());
      } else if (record.value() == null && record.key() != null) {
        observed.remove(record.keyText());
      }
    });
    return new WatchedBySource(settings, added, observed);
  }

  private static void apply(Watch command, SourceSettings settings, Map<String, RequestedTarget> added) {
    if (command.getText() == null) {
      added.remove(command.getName());
      return;
    }
    AddedTarget target = null;
    try {
      target = settings.additions().reader().read(command.getName(), command.getText());
    } catch (RuntimeException e) {
      LOG.warn("target {}, added by {}, cannot be watched: {}", command.getName(), command.getWho(), e.getMessage());
    }
    added.put(command.getName(), new RequestedTarget(command.getWho(), command.getAt(), target));
  }

  /** Returns the configured target with the given name, or null if there is none. */
  @Nullable
  WatchedTarget configured(String name) {
    return settings.watch().targets().stream().filter(each -> each.target().name().equals(name)).findFirst()
        .orElse(null);
  }

  /**
   * Returns the name of a target that is watched at the given time and has the same subject as the query, or null if
   * there is none.
   */
  @Nullable
  String sameAs(Query<?> query, Instant now) {
    return watchList(now).targets().stream().map(WatchedTarget::target)
        .filter(each -> each.query().subject().equals(query.subject())).map(Target::name).findFirst().orElse(null);
  }

  /**
   * Returns the added targets that are watched at the given time, except targets that the configuration also watches.
   */
  List<RequestedTarget> running(Instant now) {
    return added.entrySet().stream()
        .filter(each -> each.getValue().isWatched(now) && configured(each.getKey()) == null)
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Returns the watch list at the given time, with both configured and added targets. */
  public WatchList watchList(Instant now) {
    var targets = new ArrayList<>(settings.watch().targets());
    running(now).forEach(each -> {
      if (each.target() != null) {
        targets.add(each.target().watched());
      }
    });
    return new WatchList(targets, settings.watch().histories(), settings.watch().maxAge());
  }

  /** Returns the number of calls that it takes to poll once each of the targets that {@link #running} returns. */
  int addedCalls(Instant now) {
    var calls = 0;
    for (var each : running(now)) {
      var target = each.target();
      calls += target == null ? 0 : target.watched().target().pages();
    }
    return calls;
  }
}

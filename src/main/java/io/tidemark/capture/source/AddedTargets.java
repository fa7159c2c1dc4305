package io.tidemark.capture.source;

import io.tidemark.capture.poll.PlanLimits;
import io.tidemark.capture.poll.WatchList;
import io.tidemark.capture.poll.WatchList.WatchedHistory;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Watch;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The targets that are watched in addition to the configured targets. Each was added by a command in the topic
 * {@code watch}, and some of these commands were written by follow rules. A target that does not fit the budget is not
 * watched. Confined to the ledger's thread.
 */
final class AddedTargets {

  private static final Logger LOG = LoggerFactory.getLogger(AddedTargets.class);

  /**
   * Time between the end of an added target and its removal. A command that adds the target again right after the end
   * is read within this time, so the tombstone of the old command does not follow and delete it. Commands are often
   * scheduled by the minute, which this is no multiple of.
   */
  private static final Duration REMOVAL_DELAY = Duration.ofSeconds(30);

  private final String source;
  private final WatchList configured;
  private final PlanLimits limits;
  private final WatchAdditions additions;
  private final Set<String> configuredNames;
  private final Set<String> configuredSubjects;
  /** Configured histories, by coin. If a coin has several histories, only the one with the most days is here. */
  private final Map<String, WatchedHistory> histories;
  private final Map<String, AddedTarget> byName = new TreeMap<>();
  private final Map<String, String> authors = new TreeMap<>();
  /**
   * Names of the targets whose refusal has been logged since the last command about them, and authors of the follow
   * rules for which a pool was refused since the last pool that they followed.
   */
  private final Set<String> refused = new HashSet<>();

  AddedTargets(SourceSettings settings) {
    this.source = settings.name();
    this.configured = settings.watch();
    this.limits = settings.limits();
    this.additions = settings.additions();
    this.configuredNames =
        configured.targets().stream().map(each -> each.target().name()).collect(Collectors.toSet());
    this.configuredSubjects =
        configured.targets().stream().map(each -> each.target().query().subject()).collect(Collectors.toSet());
    this.histories = configured.histories().stream().collect(
        Collectors.toMap(WatchedHistory::coin, each -> each, (one, other) -> one.days() < other.days() ? other : one));
  }

  void apply(Watch command) {
    if (!command.getKind().equals(AddedTarget.KIND)) {
      return;
    }
    var name = command.getName();
    refused.remove(name);
    byName.remove(name);
    authors.remove(name);
    if (command.getText() == null) {
      return;
    }
    try {
      byName.put(name, additions.reader().apply(name, command.getText()));
      authors.put(name, command.getWho());
    } catch (RuntimeException e) {
      LOG.error("source {}: target {}, which {} added at {}, is not watched. Cause: {}", source, name, command.getWho(),
          command.getAt(), e.getMessage());
    }
  }

  /**
   * Returns whether a target is configured, is a day of a configured history at the given time, or is added and its
   * time is not over, even if the budget does not suffice for the target.
   */
  boolean isWatched(String name, Instant now) {
    return configuredNames.contains(name) || isWatchedDay(name, now) || byName.values().stream()
        .anyMatch(added -> added.watched().target().name().equals(name) && added.isWatched(now));
  }

  private boolean isWatchedDay(String name, Instant now) {
    var day = histories.isEmpty() ? null : day(name);
    var history = day == null ? null : histories.get(day.id());
    return day != null && history != null && history.has(day.date(), now)
        && history.target().apply(day.date()).name().equals(name);
  }

  /** Returns the day of a coin that the target of a given name asks for, or null if it asks for something else. */
  private static Query.@Nullable CoinHistory day(String name) {
    try {
      return Endpoints.parseTarget(name) instanceof Query.CoinHistory day ? day : null;
    } catch (IllegalArgumentException e) {
      return null; // a target of another version of the program
    }
  }

  /**
   * Returns the added targets to watch now, without those that are also configured, even if with other options, in the
   * order of their names. A target for which the budget no longer suffices is left out, and logged once after each
   * command about it.
   */
  List<WatchedTarget> watched(Instant now) {
    var running = byName.values().stream()
        .filter(
            added -> added.isWatched(now) && !configuredSubjects.contains(added.watched().target().query().subject()))
        .map(AddedTarget::watched)
        .toList();
    var refusals = additions.refusals(configured, running, limits);
    refusals.forEach((name, refusal) -> {
      if (refused.add(name)) {
        LOG.error("source {}: target {} is not watched. Cause: {}", source, name, refusal);
      }
    });
    return running.stream().filter(each -> !refusals.containsKey(each.target().name())).toList();
  }

  /**
   * Applies and returns the commands with which the matching follow rules add the pool of a listing to the watched
   * targets. A rule adds no command if the pool is already watched, if {@link FollowRule#most} pools are followed, if
   * the listing does not name the pool's network, or if the budget does not suffice.
   */
  List<Watch> follow(PoolListing listing, Instant now) {
    var commands = new ArrayList<Watch>();
    for (var rule : additions.follow()) {
      if (!rule.matches(listing, now)) {
        continue;
      }
      var query = query(listing);
      if (query == null || isSubjectWatched(query.subject(), now) || followed(rule, now) >= rule.most()) {
        continue;
      }
      var name = Endpoints.targetName(query);
      var refusal = additions.refusal(configured, calls(now) + 1, limits);
      if (refusal != null) {
        if (refused.add(rule.author())) {
          LOG.error(
              "source {}: rule \"{}\" does not add target {}. Further refusals are not logged until the rule adds a"
                  + " target again. Cause: {}",
              source, rule.author(), name, refusal);
        }
        continue;
      }
      refused.remove(rule.author());
      var until = now.truncatedTo(ChronoUnit.MILLIS).plus(rule.keep());
      var command = Watch.newBuilder().setKind(AddedTarget.KIND).setName(name)
          .setText(AddedTarget.text(1, rule.weight(), until)).setWho(rule.author())
          .setAt(now.truncatedTo(ChronoUnit.MILLIS)).build();
      apply(command);
      if (byName.containsKey(name)) {
        commands.add(command);
      }
    }
    return commands;
  }

  /** Returns whether a target that asks for the subject, with whatever options, is configured or added. */
  private boolean isSubjectWatched(String subject, Instant now) {
    return configuredSubjects.contains(subject) || byName.values().stream()
        .anyMatch(added -> added.watched().target().query().subject().equals(subject) && added.isWatched(now));
  }

  /** Returns the calls that the added targets take in one round. */
  private int calls(Instant now) {
    return watched(now).stream().mapToInt(added -> added.target().pages()).sum();
  }

  /**
   * Returns the query with which the configuration would watch a pool without options, or null if the listing names no
   * network or the pool's key does not begin with it.
   */
  private static Query.@Nullable PoolByAddress query(PoolListing listing) {
    var network = listing.getNetwork();
    return network != null && listing.getPool().startsWith(network + "_")
        ? new Query.PoolByAddress(
            network, listing.getPool().substring(network.length() + 1), IncludedResource.ALL, false, false)
        : null;
  }

  private long followed(FollowRule rule, Instant now) {
    return byName.entrySet().stream()
        .filter(each -> each.getValue().isWatched(now) && rule.author().equals(authors.get(each.getKey()))).count();
  }

  /** Removes the added targets whose time ended {@link #REMOVAL_DELAY} ago or earlier, and returns their names. */
  List<String> removeExpired(Instant now) {
    var over = byName.entrySet().stream().filter(each -> !each.getValue().isWatched(now.minus(REMOVAL_DELAY)))
        .map(Map.Entry::getKey).toList();
    over.forEach(byName::remove);
    over.forEach(authors::remove);
    return over;
  }
}

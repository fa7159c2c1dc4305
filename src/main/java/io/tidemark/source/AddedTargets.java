package io.tidemark.source;

import io.tidemark.event.PoolListing;
import io.tidemark.event.Watch;
import io.tidemark.ledger.Ledger;
import io.tidemark.poll.PlanLimits;
import io.tidemark.poll.WatchList;
import io.tidemark.poll.WatchList.WatchedHistory;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.source.CommandAnnouncer.Announcements;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
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
 * The targets that are watched besides the configured ones: those that commands of the topic {@code watch} added, those of
 * follow rules among them. One that does not fit the budget is not watched. Of the ledger's thread.
 */
final class AddedTargets {

  private static final Logger LOG = LoggerFactory.getLogger(AddedTargets.class);

  private final String source;
  private final WatchList configured;
  private final PlanLimits limits;
  private final WatchAdditions additions;
  /** Sorted. */
  private final String[] configuredNames;
  /** The histories that are configured, by coin. */
  private final Map<String, WatchedHistory> histories;
  private final Map<String, AddedTarget> byName = new TreeMap<>();
  private final Map<String, String> authors = new TreeMap<>();
  /** Names of targets whose refusal was logged. */
  private final Set<String> refused = new HashSet<>();

  AddedTargets(SourceSettings settings) {
    this.source = settings.name();
    this.configured = settings.watch();
    this.limits = settings.limits();
    this.additions = settings.additions();
    this.configuredNames =
        configured.targets().stream().map(each -> each.target().name()).sorted().toArray(String[]::new);
    this.histories = configured.histories().stream().collect(Collectors.toMap(WatchedHistory::coin, each -> each));
  }

  /** Announcements that also apply commands here. */
  Announcements with(Announcements others) {
    return new Announcements() {
      @Override
      public void apply(Watch command) {
        AddedTargets.this.apply(command);
        others.apply(command);
      }

      @Override
      public void announceDue(Ledger ledger, Instant now) {
        others.announceDue(ledger, now);
      }
    };
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
      byName.put(name, additions.reader().read(name, command.getText()));
      authors.put(name, command.getWho());
    } catch (RuntimeException e) {
      LOG.error("source {}: the target {} that {} added at {} is not watched: {}", source, name, command.getWho(),
          command.getAt(), e.getMessage());
    }
  }

  /** Whether a target is configured or asked for, also where the budget does not suffice for it. */
  boolean isWatched(String name, Instant now) {
    return isConfigured(name) || isWatchedDay(name, now) || byName.values().stream()
        .anyMatch(added -> added.watched().target().name().equals(name) && added.isWatched(now));
  }

  private boolean isConfigured(String name) {
    return Arrays.binarySearch(configuredNames, name) >= 0;
  }

  private boolean isWatchedDay(String name, Instant now) {
    var day = histories.isEmpty() ? null : additions.day().apply(name);
    var history = day == null ? null : histories.get(day.id());
    return day != null && history != null && history.has(day.date(), now)
        && history.target().apply(day.date()).name().equals(name);
  }

  /** The targets to watch now. What is over budget is left out and logged once, the last names first. */
  List<WatchedTarget> watched(Instant now) {
    var accepted = new ArrayList<WatchedTarget>();
    var calls = 0;
    for (var added : byName.values()) {
      var target = added.watched().target();
      if (!added.isWatched(now) || isConfigured(target.name())) {
        continue;
      }
      var refusal = additions.refusal(configured, calls + target.pages(), limits);
      if (refusal == null) {
        accepted.add(added.watched());
        calls += target.pages();
      } else if (refused.add(target.name())) {
        LOG.error("source {}: target {} is not watched: {}", source, target.name(), refusal);
      }
    }
    return accepted;
  }

  /**
   * The command that watches a pool which has entered a list, for each rule that wants it; it is applied. None where the
   * pool is watched already, the rule has as many as it may, or the budget does not suffice.
   */
  List<Watch> follow(PoolListing listing, Instant now) {
    var commands = new ArrayList<Watch>();
    for (var rule : additions.follow()) {
      if (!rule.matches(listing, now)) {
        continue;
      }
      var name = target(listing);
      var known = name == null ? null : byName.get(name);
      if (name == null || isConfigured(name) || (known != null && known.isWatched(now))
          || followed(rule, now) >= rule.most()) {
        continue;
      }
      var until = now.truncatedTo(ChronoUnit.MILLIS).plus(rule.keep());
      var command = Watch.newBuilder().setKind(AddedTarget.KIND).setName(name)
          .setText(AddedTarget.text(1, rule.weight(), until)).setWho(rule.author())
          .setAt(now.truncatedTo(ChronoUnit.MILLIS)).build();
      apply(command);
      if (watched(now).stream().anyMatch(each -> each.target().name().equals(name))) {
        commands.add(command);
      } else {
        apply(Watch.newBuilder(command).setText(null).build());
      }
    }
    return commands;
  }

  /** The name of the pool's own target; null where the listing does not tell its network. */
  private @Nullable String target(PoolListing listing) {
    var network = listing.getNetwork();
    return network != null && listing.getPool().startsWith(network + "_")
        ? additions.poolTarget().apply(network, listing.getPool().substring(network.length() + 1))
        : null;
  }

  private long followed(FollowRule rule, Instant now) {
    return byName.entrySet().stream()
        .filter(each -> each.getValue().isWatched(now) && rule.author().equals(authors.get(each.getKey()))).count();
  }

  /** Removes what was to be watched until now, and returns the names. */
  List<String> removeExpired(Instant now) {
    var over = byName.entrySet().stream().filter(each -> !each.getValue().isWatched(now)).map(Map.Entry::getKey)
        .toList();
    over.forEach(byName::remove);
    over.forEach(authors::remove);
    return over;
  }
}

package io.tidemark.config;

import io.tidemark.market.Include;
import io.tidemark.market.Query;
import io.tidemark.market.Target;
import io.tidemark.market.WireValue;
import io.tidemark.poll.WatchList;
import io.tidemark.poll.WatchList.WatchedHistory;
import io.tidemark.poll.WatchList.WatchedTarget;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What is watched so far, and how what is common to all targets is read. */
final class Watching {

  private static final Set<Include> ALL = Set.of(Include.values());

  private final String source;
  private final RefreshPeriods periods;
  private final Function<Query<?>, String> nameOf;
  private final List<WatchedTarget> targets = new ArrayList<>();
  private final List<WatchedHistory> days = new ArrayList<>();
  /** What is watched, and where that was said. */
  private final Map<String, String> subjects = new HashMap<>();

  Watching(String source, RefreshPeriods periods, Function<Query<?>, String> nameOf) {
    this.source = source;
    this.periods = periods;
    this.nameOf = nameOf;
  }

  /** Adds a target with the section's pages and weight. */
  void add(Section in, Query<?> query) {
    var before = subjects.putIfAbsent(Subject.of(query), in.path());
    if (before != null) {
      throw in.refused("watched twice, here and at " + before + "; its parameters can be set once");
    }
    var weight = in.get("weight", "1");
    var number = weight.number();
    var target = target(query, query instanceof Query.Paged<?> ? pages(in) : 1);
    targets.add(weight.made(text -> new WatchedTarget(target, periods.of(query.operation()), number)));
  }

  /** Adds the days of a history, as many as the section says. */
  void addDays(Section in, Function<LocalDate, Query.CoinHistory> query) {
    var depth = in.get("days", "1");
    if (depth.whole() < 1 || depth.whole() > 10_000) {
      throw depth.refused("1 to 10000 days, not " + depth.shown());
    }
    days.add(new WatchedHistory(depth.whole(), periods.betweenDays(), date -> target(query.apply(date), 1)));
  }

  WatchList list(Section in) {
    if (targets.isEmpty() && days.isEmpty()) {
      throw in.refused(
          "nothing is watched; name networks, searches, global, coins, derivatives, treasuries or platforms");
    }
    return new WatchList(targets, days);
  }

  /** The things named in a section, those of its {@code file} too, all with the options under {@code each}. */
  static void each(Section in, BiConsumer<String, Section> read) {
    in.keys().stream()
        .filter(name -> !name.equals("file") && !name.equals("each"))
        .forEach(name -> read.accept(name, in.section(name)));
    var file = in.find("file");
    if (file != null) {
      TextFile.lines(in.file(file), file).forEach(name -> read.accept(name, in.section("each")));
    } else if (in.has("each")) {
      throw in.refused("each", "options of what a file lists; name the file too");
    }
  }

  static Set<Include> include(Section in) {
    return in.has("include") ? words(in, "include", Include.values()) : ALL;
  }

  static boolean flag(Section in, String key) {
    return in.get(key, "false").flag();
  }

  static <E extends WireValue> Set<E> words(Section in, String key, E[] words) {
    return in.list(key).stream().map(value -> value.word(words)).collect(Collectors.toSet());
  }

  private Target target(Query<?> query, int pages) {
    return new Target(source, nameOf.apply(query), query, pages);
  }

  private static int pages(Section in) {
    var pages = in.get("pages", "1");
    if (pages.whole() < 1 || pages.whole() > 500) {
      throw pages.refused("1 to 500, not " + pages.shown());
    }
    return pages.whole();
  }
}
